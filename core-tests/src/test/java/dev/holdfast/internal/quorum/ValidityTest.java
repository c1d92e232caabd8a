package dev.holdfast.internal.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.time.Deadline;
import dev.holdfast.time.Moment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ValidityTest {

    private static final long MILLI = 1_000_000;
    private static final Moment START = new Moment(Long.MAX_VALUE - MILLI, 1_000);

    private static Deadline endsAfter(long millis) {
        return new Deadline(START, millis * MILLI);
    }

    @Test
    void twoMajoritiesAlwaysShareANode() {
        for (int nodes = 1; nodes < 20; nodes++) {
            assertThat(2 * Validity.majority(nodes)).isGreaterThan(nodes);
            assertThat(2 * (Validity.majority(nodes) - 1)).isLessThanOrEqualTo(nodes);
        }
    }

    @Test
    void driftIsAHundredthAndTwoMilliseconds() {
        assertThat(Validity.driftNanos(30_000 * MILLI)).isEqualTo(302 * MILLI);
        assertThat(Validity.driftNanos(0)).isEqualTo(2 * MILLI);
    }

    @Test
    void aLeaseLastsAsLongAsAMajorityOfItsVotesDoesLessDrift() {
        List<Deadline> votes =
                Stream.of(50, 10, 40, 20, 30).map(ValidityTest::endsAfter).toList();

        assertThat(Validity.of(votes, 3, 2 * MILLI, START).remainingNanos(START))
                .isEqualTo(28 * MILLI);
        assertThat(Validity.of(votes, 1, 0, START).remainingNanos(START)).isEqualTo(50 * MILLI);
        assertThat(Validity.of(votes, 5, 0, START).remainingNanos(START)).isEqualTo(10 * MILLI);
    }

    @Test
    void theTtlForAValidityCoversItsOwnDriftAndHardlyMore() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            long valid = random.nextLong(1L << random.nextInt(1, 56));
            long ttl = Validity.ttlMillis(valid) * MILLI;

            assertThat(ttl - Validity.driftNanos(ttl)).as("for %d ns", valid).isBetween(valid, valid + 5 * MILLI);
        }
        assertThat(Validity.ttlMillis(-5)).isPositive();
        assertThat(Validity.ttlMillis(Long.MAX_VALUE)).isPositive();
    }
}
