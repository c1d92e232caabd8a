package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Granted;
import org.junit.jupiter.api.Test;

/** Tests which unused resources a table with a steady time drops, and that no client can tell the difference. */
class UnusedResourcesTest {

    private static final long DAY = 86_400_000;
    private static final long REST = 600_000;
    private static final long TTL = 30_000;

    private final LockTable table = new LockTable(DAY, 0);
    private long now = 1_700_000_000_000L;
    private long tickets;

    private OwnerId owner() {
        return new OwnerId("client~00000000", ++tickets, 0);
    }

    private Granted acquire(String resource, long ttl, AcquireRequest.Update update) {
        return (Granted) table.acquire(
                new AcquireRequest(
                        resource, owner(), LockMode.EX, new AcquireRequest.Terms(ttl, TTL, 1), false, update),
                now,
                push -> {});
    }

    private Granted acquire(String resource, long ttl) {
        return acquire(resource, ttl, AcquireRequest.Update.NONE);
    }

    /** Acquires and releases, and returns the token. */
    private long use(String resource, long ttl) {
        long fence = acquire(resource, ttl).fence();
        release(resource, 0, null);
        return fence;
    }

    private void release(String resource, long buryMillis, Seal seal) {
        OwnerId last = new OwnerId("client~00000000", tickets, 0);
        table.release(new ReleaseRequest(resource, last, buryMillis, seal), now, push -> {});
    }

    private int leftAfter(long millis) {
        now += millis;
        table.dropUnused(now);
        return table.size();
    }

    @Test
    void unusedResourcesAreDroppedAndTheirTokensRise() {
        long token = 0;
        for (int i = 0; i < 100; i++) {
            use("order:" + i, TTL);
            token = use("order:" + i, TTL);
        }

        assertThat(leftAfter(REST - 1)).isEqualTo(100);
        assertThat(leftAfter(1)).isZero();
        assertThat(use("order:99", TTL)).isGreaterThan(token);
    }

    @Test
    void aResourceInUseStays() {
        acquire("held", 2 * REST);
        use("sealed", TTL);
        release("sealed", 0, Seal.now(owner(), 2 * REST));
        use("buried", TTL);
        release("buried", 2 * REST, null);

        assertThat(leftAfter(REST)).isEqualTo(3);
    }

    @Test
    void aValueStaysAsLongAsItsFence() {
        acquire("x", TTL, new AcquireRequest.Update(1, true, new LockValue(1, 1, "kept")));
        release("x", 0, null);

        assertThat(leftAfter(DAY - 1)).isEqualTo(1);
        assertThat(acquire("x", TTL).value()).isNotNull();
    }

    @Test
    void aFenceAheadOfTheTimeStays() {
        long ahead = FenceFromTime.ofAbsent(now + 2 * REST);
        acquire("x", TTL, new AcquireRequest.Update(ahead, true, null));
        release("x", 0, null);

        assertThat(leftAfter(REST)).isEqualTo(1);
        assertThat(acquire("x", TTL).fence()).isGreaterThan(ahead);
    }

    @Test
    void theLongestTtlOfDroppedResourcesCountsForAll() {
        use("x", 2 * TTL);
        assertThat(leftAfter(REST)).isZero();

        assertThat(acquire("y", TTL).longestTtlMillis()).isEqualTo(2 * TTL);
        assertThat(acquire("z", 2 * TTL).longestTtlMillis()).isZero();
        now += DAY - REST;
        assertThat(acquire("v", TTL).longestTtlMillis()).isZero();
    }

    @Test
    void aResourceWithALongTtlStaysSoThatItConcernsNoOther() {
        use("x", 2 * REST);

        assertThat(leftAfter(DAY - 1)).isEqualTo(1);
        assertThat(acquire("y", TTL).longestTtlMillis()).isZero();
        assertThat(acquire("x", TTL).longestTtlMillis()).isEqualTo(2 * REST);
    }

    @Test
    void aRequestThatOnlyWaitedLeavesItsTtlOnly() {
        acquire("x", TTL);
        table.acquire(AcquireRequest.forQueuedVote("x", owner(), LockMode.EX, 2 * TTL, TTL, 1), now, push -> {});
        now += 2 * TTL;
        table.dropUnused(now);

        assertThat(leftAfter(REST)).isZero();
        assertThat(acquire("x", TTL).longestTtlMillis()).isEqualTo(2 * TTL);
    }
}
