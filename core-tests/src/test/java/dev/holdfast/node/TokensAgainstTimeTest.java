package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Granted;
import org.junit.jupiter.api.Test;

/** C16: how often leases of several clients may take first blocks of one lock before its tokens outrun the time base (docs/reference/protocol.md, §7). */
class TokensAgainstTimeTest {

    private static final long RETENTION = 86_400_000;
    private static final long START = 1_767_268_800_000L; // a whole second, where the base is farthest behind the clock
    private static final int FIRST_BLOCK = 64;
    private static final int MILLIS = 10_000;

    private long tickets = 1;

    private long grantAndRelease(LockTable table, int tokens, long now) {
        OwnerId owner = new OwnerId("client@host~0000000" + tickets % 5, ++tickets, 0);
        AcquireAnswer answer =
                table.acquire(AcquireRequest.forVote("x", owner, LockMode.EX, 30_000, 10_000, tokens), now, push -> {});
        table.release(new ReleaseRequest("x", owner, 0), now, push -> {});
        return ((Granted) answer).fence();
    }

    /** Returns by how much the first token after a loss of state exceeds the last one before it, without any quarantine. */
    private long riseThroughALoss(int leasesPerSecond) {
        LockTable table = new LockTable(RETENTION, 0);
        long last = 0;
        long leases = 0;
        for (int millis = 0; millis < MILLIS; millis++) {
            while (leases < (long) leasesPerSecond * (millis + 1) / 1_000) {
                last = grantAndRelease(table, FIRST_BLOCK, START + millis);
                leases++;
            }
        }
        LockTable next = new LockTable(RETENTION, START + MILLIS - 1);
        return grantAndRelease(next, 1, START + MILLIS) - last;
    }

    @Test
    void c16_tokensRiseThroughALossUpTo16384LeasesASecond() {
        assertThat(riseThroughALoss(16_384)).isEqualTo(1);
        assertThat(riseThroughALoss(16_000)).isGreaterThan(200_000);
    }

    @Test
    void c16_aboveThatALossWithoutQuarantineMayLowerThem() {
        assertThat(riseThroughALoss(16_500)).isNegative();
    }
}
