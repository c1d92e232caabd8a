package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.redis.process.RedisProcess;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One PostgreSQL and two Redis servers as the three nodes of one quorum. */
@Tag("slow")
class MixedQuorumTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Test
    void oneDatabaseAndTwoRedisServersMakeAQuorum() throws Exception {
        try (TestDatabase database = TestDatabase.start();
                RedisProcess first = RedisProcess.start();
                RedisProcess second = RedisProcess.start();
                Holdfast holder = connect(database, first, second);
                Holdfast waiter = connect(database, first, second)) {
            Lease lease = holder.lock("orders").acquire(PATIENCE);
            long token = lease.fencingToken();
            CompletableFuture<Lease> next = waiter.lock("orders").acquireAsync(PATIENCE);

            assertThat(waiter.lock("orders").tryAcquire()).isInstanceOf(Acquisition.Refused.class);
            lease.release();
            Lease granted = next.get(1, TimeUnit.MINUTES);
            assertThat(granted.fencingToken()).isGreaterThan(token);
            granted.release();

            first.kill();
            long withDatabase = turn(holder);
            assertThat(withDatabase).isGreaterThan(granted.fencingToken());
            first.restart(true);
            turn(waiter);

            database.kill();
            long withoutDatabase = turn(waiter);
            assertThat(withoutDatabase).isGreaterThan(withDatabase);

            first.kill();
            assertThat(holder.lock("orders").tryAcquire())
                    .isInstanceOfSatisfying(
                            Acquisition.Refused.class,
                            refused -> assertThat(refused.refusal().message()).contains("1 of 3 nodes answered"));
        }
    }

    private static long turn(Holdfast holdfast) throws InterruptedException {
        try (Lease lease = holdfast.lock("orders").acquire(PATIENCE)) {
            return lease.fencingToken();
        }
    }

    private static Holdfast connect(TestDatabase database, RedisProcess first, RedisProcess second) {
        return Holdfast.builder()
                .nodes(database.uri(), first.uri().toString(), second.uri().toString())
                .build();
    }
}
