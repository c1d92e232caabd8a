package dev.holdfast.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LockMode;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.lease.LeaseKeys;
import dev.holdfast.server.lease.LeaseLimits;
import dev.holdfast.server.lease.Leases;
import dev.holdfast.server.lease.LockRequest;
import dev.holdfast.server.lease.Owners;
import dev.holdfast.server.lease.ServedLease;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The end of a session whose client has become silent, on a clock that is moved by hand. */
class SessionLeasesTest {

    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration DRIFT = Duration.ofMillis(202); // a fiftieth of the grace and 2 ms

    private static final Caller CALLER = new Caller("client", List.of(""), Set.of());
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ManualTiming time = new ManualTiming(1);
    private final AtomicInteger ends = new AtomicInteger();
    private final SessionLeases session =
            new SessionLeases("secret", CALLER, time.timing(), GRACE.toMillis(), ended -> ends.incrementAndGet());

    @Test
    void itEndsTheGraceAndTheDriftAfterItsClientWasHeard() {
        assertThat(session.heard()).isTrue();

        time.advance(GRACE.plus(DRIFT).minusMillis(1));
        assertThat(ends).hasValue(0);
        time.advance(Duration.ofMillis(1));

        assertThat(ends).hasValue(1);
        assertThat(session.heard()).isFalse();
        time.advance(Duration.ofMinutes(1));
        assertThat(ends).hasValue(1);
    }

    @Test
    void itLastsAsLongAsItsClientIsHeard() {
        for (int message = 0; message < 20; message++) {
            assertThat(session.heard()).as("message %d", message).isTrue();
            time.advance(GRACE.minusMillis(1));
        }
        assertThat(ends).hasValue(0);

        time.advance(DRIFT.plusMillis(1));
        assertThat(ends).hasValue(1);
    }

    /** No client learns of it, and a session that has ended releases no more leases. */
    @Test
    void aLeaseThatIsGrantedAsItEndsIsReleased() throws Exception {
        Timing timing = Timing.system("session-leases");
        try (Holdfast holdfast = Holdfast.builder().nodes("memory:").build()) {
            Leases leases = new Leases(
                    holdfast,
                    timing,
                    new LeaseLimits(Duration.ofSeconds(30), 10, 10, 10),
                    new EventLog(timing),
                    new Owners(timing.ticker()),
                    new LeaseKeys(holdfast, timing));
            ServedLease granted = leases.acquire(
                            CALLER,
                            new LockRequest("x", LockMode.EX, Duration.ofHours(1), Duration.ZERO, true, null, null),
                            null,
                            whenGone -> {})
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            session.end("the client has said goodbye").get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(leases.held()).isEqualTo(1);

            assertThat(session.holds(granted)).isFalse();

            await().atMost(PATIENCE).until(() -> leases.held() == 0);
            assertThat(session.leases()).isEmpty();
        } finally {
            timing.scheduler().close();
        }
    }
}
