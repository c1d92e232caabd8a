package dev.holdfast.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcesses;
import io.quarkus.runtime.configuration.ConfigurationException;
import org.junit.jupiter.api.Test;

class LocalNodesTest {

    @Test
    void aNumberOutOfRangeIsRefusedWithTheRange() {
        assertThat(LocalNodes.checked(1)).isEqualTo(1);
        for (int wrong : new int[] {-1, 0, 16}) {
            assertThatThrownBy(() -> LocalNodes.checked(wrong))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("devservices.nodes is " + wrong + "; choose 1 to 15");
        }
    }

    @Test
    void e25_nodesAreInMemoryIfNoServerStarts() throws Exception {
        RedisOptions wrong = RedisOptions.defaults().config("no-such-setting yes");
        try (LocalNodes nodes = new LocalNodes(3, count -> RedisProcesses.start(count, wrong))) {
            nodes.start();
            assertThat(nodes.getConnectionInfo())
                    .isEqualTo("memory:dev-services-1,memory:dev-services-2,memory:dev-services-3");
            try (Holdfast holdfast = Holdfast.builder()
                            .nodes(nodes.getConnectionInfo().split(","))
                            .build();
                    Lease lease = holdfast.lock("stock").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }
}
