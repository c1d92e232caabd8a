package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.testkit.redis.TcpProxy;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A connection for notifications that a firewall has dropped without telling anyone. */
@Tag("slow")
class SilentConnectionTest extends NodeOnPostgres {

    SilentConnectionTest() {
        super(Duration.ofMinutes(1));
    }

    @Test
    void aClientWithoutRequestsNoticesThatNothingArrivesAnyMore() {
        try (TestDatabase database = TestDatabase.start();
                TcpProxy network = TcpProxy.to("localhost", database.port())) {
            node = new PostgresNodeProvider()
                    .open("postgresql://postgres@localhost:" + network.port() + "/postgres", context(ttl -> 0));
            untilAvailable();

            network.holdOpen();
            learns("unavailable", "no answer");
            await().atMost(patience).until(() -> ask("lock:a", 1, false) instanceof AcquireAnswer.Granted);

            assertThat(ask("lock:a", 2, true)).isInstanceOf(AcquireAnswer.Queued.class);
            node.release(new ReleaseRequest("lock:a", new OwnerId(CLIENT, 1, 0), 0));
            await().atMost(patience)
                    .until(() -> listener.pushes("lock:a").stream().anyMatch(Push.Granted.class::isInstance));
        } finally {
            if (node != null) {
                node.close();
            }
        }
    }
}
