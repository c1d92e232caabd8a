package dev.holdfast.server.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LockMode;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Permission;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeasesTest {

    @Test
    void c11_anAcquireIsAnsweredThoughAReaderOfEventsFails() throws Exception {
        Timing timing = Timing.system("failing-reader");
        try (Holdfast holdfast = Holdfast.builder().nodes("memory:").build()) {
            EventLog events = new EventLog(timing);
            Owners owners = new Owners(timing.ticker());
            LeaseLimits limits = new LeaseLimits(Duration.ofSeconds(30), 10, 10, 10);
            Leases leases = new Leases(holdfast, timing.random(), limits, events, owners);
            events.read(
                    null,
                    false,
                    event -> {
                        throw new IllegalStateException("a test");
                    },
                    () -> {});
            LockRequest request =
                    new LockRequest("x", LockMode.EX, Duration.ofSeconds(30), Duration.ZERO, false, null, null);

            ServedLease lease = leases.acquire(
                            new Caller("tester", List.of(""), Set.of(Permission.ACQUIRE)),
                            request,
                            null,
                            whenGone -> {})
                    .get(10, TimeUnit.SECONDS);
            assertThat(lease.lease.fencingToken()).isPositive();
            lease.endsByClient("released");
            assertThat(leases.held()).isZero();
        } finally {
            timing.scheduler().close();
        }
    }
}
