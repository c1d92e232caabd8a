package dev.holdfast.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.testkit.ManualTiming;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The end of a session whose client has become silent, on a clock that is moved by hand. */
class SessionLeasesTest {

    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration DRIFT = Duration.ofMillis(202); // a fiftieth of the grace and 2 ms

    private final ManualTiming time = new ManualTiming(1);
    private final AtomicInteger ends = new AtomicInteger();
    private final SessionLeases session = new SessionLeases(
            "secret",
            new Caller("client", List.of(""), Set.of()),
            time.timing(),
            GRACE.toMillis(),
            ended -> ends.incrementAndGet());

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
}
