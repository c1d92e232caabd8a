package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.redis.process.RedisProcesses;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The fences of an only node follow its clock: tokens rise after any loss of state, also within the same second. */
class OnlyNodeTest {

    @Test
    void tokensRiseThoughTheServerForgetsEverythingBetweenTwoTurns() throws Exception {
        try (RedisProcesses servers = RedisProcesses.start(1);
                Holdfast client = Holdfast.connect(servers.node(0).uri().toString())) {
            long last = 0;
            for (int turn = 0; turn < 200; turn++) {
                try (Lease lease = client.lock("a").acquire(Duration.ofSeconds(5))) {
                    assertThat(lease.fencingToken()).isGreaterThan(last);
                    last = lease.fencingToken();
                    servers.node(0).send("FLUSHALL");
                }
            }
        }
    }
}
