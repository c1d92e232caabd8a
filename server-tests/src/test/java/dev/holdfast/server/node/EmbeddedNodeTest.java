package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.client.NodeMessage.Hello;
import dev.holdfast.testkit.ManualTiming;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The part of a server's greeting about the votes of its earlier runs. */
class EmbeddedNodeTest {

    @TempDir
    private Path folder;

    private final ManualTiming time = new ManualTiming(1);

    private Hello greetingOfARun(@Nullable Path data) {
        try (EmbeddedNode node = EmbeddedNode.open(time.timing(), data)) {
            return node.introduction();
        }
    }

    @Test
    void aServerWithoutAFolderCountsByItsOwnAge() {
        assertThat(greetingOfARun(null).remembers()).isFalse();
        assertThat(greetingOfARun(null).uptimeMillis()).isZero();
    }

    /** A server whose folder was deleted restarts twice: its clients must not count it before the votes of the deleted folder have expired. */
    @Test
    void aServerCountsByTheAgeOfItsFolderUntilNoEarlierVoteCanLast() {
        Hello first = greetingOfARun(folder);
        assertThat(first.remembers()).isFalse();
        assertThat(first.uptimeMillis()).isZero();

        time.advance(Duration.ofSeconds(5));
        Hello second = greetingOfARun(folder);
        assertThat(second.remembers()).isFalse();
        assertThat(second.uptimeMillis()).isEqualTo(5_000);

        time.advance(Duration.ofHours(24));
        assertThat(greetingOfARun(folder).remembers()).isTrue();
    }
}
