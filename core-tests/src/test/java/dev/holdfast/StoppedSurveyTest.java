package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockStatus;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A question to all nodes by a client that then did not run for a minute. Its overdue timers run before it reads the answers, which came in time. */
class StoppedSurveyTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient client = cluster.client("client");

    @Test
    void c14_aClientThatDidNotRunBlamesNoNodeThatHasAnswered() {
        client.nodes().forEach(node -> node.requests().delay(Duration.ofMillis(1)));
        CompletableFuture<LockStatus> status = client.holdfast().admin().statusAsync("a");
        client.pause();
        cluster.advance(Duration.ofMinutes(1));
        assertThat(status).isNotDone();
        client.resume();

        assertThat(cluster.await(status).nodes())
                .hasSize(3)
                .allSatisfy(node -> assertThat(node.state()).as(node.problem()).isPresent());
    }
}
