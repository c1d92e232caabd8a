package dev.holdfast.torture.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.testkit.history.AttemptId;
import dev.holdfast.testkit.history.Event;
import dev.holdfast.testkit.history.Finding.Promise;
import dev.holdfast.testkit.history.ResourceCopy;
import dev.holdfast.torture.fault.Strike;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The report says of each fault what happened while it was there, and calls a violation what was promised not to be. */
class ReportTextTest {

    private static final long SECOND = 1_000_000_000;
    private static final AttemptId A = new AttemptId("a", 1, "x", LockMode.EX);
    private static final AttemptId B = new AttemptId("b", 1, "x", LockMode.EX);

    /** Two that hold it at once, at 11 s; the first writes after the second, at 12 s. */
    private static final List<Event> BAD = List.of(
            new Event.Asked(9 * SECOND, A),
            new Event.Got(10 * SECOND, A, 1, 13 * SECOND),
            new Event.Asked(9 * SECOND, B),
            new Event.Got(11 * SECOND, B, 2, 14 * SECOND),
            new Event.Wrote(11 * SECOND + 1, B, ResourceCopy.UNGUARDED, 1, 1),
            new Event.Wrote(12 * SECOND, A, ResourceCopy.UNGUARDED, 2, 1),
            new Event.Releasing(12 * SECOND + 1, A),
            new Event.Releasing(12 * SECOND + 1, B));

    private static PhaseResult result(Set<Promise> promised, Strike... strikes) {
        Tale bad = Tale.of(BAD, Duration.ofSeconds(3));
        return new PhaseResult("some", Duration.ofSeconds(20), promised, List.of(strikes), List.of(), bad, bad);
    }

    @Test
    void whatHappenedIsPutDownToTheFaultThatWasThere() {
        PhaseResult result = result(
                Set.of(Promise.ALWAYS),
                new Strike("early", SECOND, 8 * SECOND),
                new Strike("here", 10 * SECOND, 11 * SECOND));
        assertThat(result.holdfast().during(result.during("early")).acquisitions())
                .isZero();
        Tale.Part here = result.holdfast().during(result.during("here"));
        assertThat(here).isEqualTo(new Tale.Part(2, 1, 1, 0, 0, 1, 2 * SECOND));
        assertThat(result.holdfast().during(result.outside()).acquisitions()).isZero();
        assertThat(ReportText.of(List.of("seed 1"), List.of(result), List.of("rain")))
                .contains("- seed 1", "- rain", "| here | 1 | 2 | 1 | 1 | 0 | 0 | 1 | 2.0 s |", "| early | 1 | 0 |");
    }

    @Test
    void aDoubleHolderIsAViolationWhereItIsPromisedNotToBe() {
        assertThat(result(Set.of(Promise.ALWAYS)).violations()).isEmpty();
        assertThat(result(Set.of(Promise.ALWAYS, Promise.BOUNDED_CLOCKS)).violations())
                .singleElement()
                .asString()
                .startsWith("DOUBLE_HOLDER");
    }
}
