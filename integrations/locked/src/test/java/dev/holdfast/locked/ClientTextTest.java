package dev.holdfast.locked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.node.MemoryNode;
import org.junit.jupiter.api.Test;

class ClientTextTest {

    private static String summary(String... nodes) {
        var builder = Holdfast.builder().clientName("shop");
        for (String node : nodes) {
            builder.node(context -> new MemoryNode(
                            node, context.timing(), context.times().fenceRetentionMillis())
                    .connect(context.client(), context.listener()));
        }
        try (Holdfast holdfast = builder.build()) {
            return ClientText.summary(holdfast).replaceFirst("~\\w+", "");
        }
    }

    @Test
    void theSummarySaysWhatTheLocksSurvive() {
        assertThat(summary("a")).isEqualTo("Client shop locks on 1 node; locks do not survive its loss: memory:a");
        assertThat(summary("a", "b", "c"))
                .isEqualTo("Client shop locks on 3 nodes, of which 2 are a majority; locks survive the loss of 1:"
                        + " memory:a, memory:b, memory:c");
    }

    /** Such as those of a strict cluster. */
    @Test
    void theLocksOfSeveralServersMaySurviveALoss() {
        assertThat(summary("a,b,c")).isEqualTo("Client shop locks on 1 node: memory:a,b,c");
    }
}
