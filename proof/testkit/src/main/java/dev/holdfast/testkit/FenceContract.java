package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Denied;
import org.junit.jupiter.api.Test;

/** Fences, floors and healing: PROTOCOL §3, ACQUIRE 1 and 2. */
abstract class FenceContract extends QueueContract {

    private static final long LARGEST_FENCE = (1L << 53) - 1;

    /** Returns the largest floor that the node accepts: one below the largest fence, unless the node accepts less from its clients. */
    protected long largestFloor() {
        return LARGEST_FENCE - 1;
    }

    /** Returns the base of an absent fence at a time. */
    private static long base(long millis) {
        return (millis / 1000) << 20;
    }

    @Test
    void anAbsentFenceIsBasedOnTheNodesTime() {
        long fence = party("a").ask(resource, 10).granted().fence();

        assertThat(fence).isBetween(base(nodeMillis() - 5_000), base(nodeMillis() + 5_000));
    }

    @Test
    void theFenceRisesWithEveryGrantByTheTokensItTakes() {
        ContractClient a = party("a");
        long first = a.ask(resource, 10).granted().fence();
        a.release(resource, 10);
        assertThat(a.ask(resource, 11).tokens(8).granted().fence()).isEqualTo(first + 8);
        a.release(resource, 11);

        assertThat(a.ask(resource, 12).granted().fence()).isEqualTo(first + 9);
    }

    @Test
    void theFenceStaysWhenAllHasExpired() {
        ContractClient a = party("a");
        long first = a.ask(resource, 10).ttl(SHORT_MILLIS).granted().fence();
        elapseMillis(SHORT_MILLIS);

        assertThat(a.inspect(resource).fence()).isEqualTo(first);
        assertThat(a.ask(resource, 11).granted().fence()).isEqualTo(first + 1);
    }

    @Test
    void aGrantFromTheQueueTakesItsTokensToo() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        long first = a.ask(resource, 10).granted().fence();
        b.ask(resource, 11).tokens(8).queue().queued();
        a.release(resource, 10);

        assertThat(b.granted(resource, 11)).isEqualTo(first + 8);
    }

    @Test
    void aFloorRaisesTheVoteAndTheNode() {
        ContractClient a = party("a");
        long first = a.ask(resource, 10).granted().fence();

        assertThat(a.ask(resource, 10).floor(first + 100).granted().fence()).isEqualTo(first + 100);
        assertThat(a.inspect(resource).fence()).isEqualTo(first + 100);
        a.release(resource, 10);
        assertThat(a.ask(resource, 11).granted().fence()).isEqualTo(first + 101);
    }

    @Test
    void aFloorBelowTheFenceChangesNothing() {
        ContractClient a = party("a");
        long first = a.ask(resource, 10).granted().fence();

        assertThat(a.ask(resource, 10).floor(first - 1).granted().fence()).isEqualTo(first);
    }

    @Test
    void aRaiseNeverMakesAVoteAndNeverQueues() {
        ContractClient a = party("a");

        a.ask(resource, 10).floor(base(nodeMillis()) + 50).queue().denied(Denied.Reason.NO_VOTE);

        assertThat(a.inspect(resource).holders()).isEmpty();
        assertThat(a.inspect(resource).waiters()).isEmpty();
    }

    @Test
    void aRaiseOfWhoOnlyWaitsIsDenied() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        long fence = a.ask(resource, 10).granted().fence();
        b.ask(resource, 11).queue().queued();

        b.ask(resource, 11).floor(fence + 5).denied(Denied.Reason.NO_VOTE);
        assertThat(a.inspect(resource).fence()).isEqualTo(fence);
    }

    @Test
    void healingMakesALostVoteAnewWithTheFloorAsItsFence() {
        ContractClient a = party("a");
        long seen = usedAndFreed(a);

        assertThat(a.ask(resource, 10).heal(seen + 5).granted().fence()).isEqualTo(seen + 5);
        a.release(resource, 10);
        assertThat(a.ask(resource, 11).heal(seen + 5).granted().fence())
                .as("the floor is the node's fence already")
                .isEqualTo(seen + 5);
    }

    @Test
    void healingIsDeniedWhereALargerFenceWasGiven() {
        ContractClient a = party("a");
        long seen = usedAndFreed(a);

        a.ask(resource, 10).heal(seen - 1).denied(Denied.Reason.NO_VOTE);
        assertThat(a.inspect(resource).holders()).isEmpty();
    }

    @Test
    void healingIsDeniedWhereAnotherHolds() {
        ContractClient a = party("a");
        long fence = party("b").ask(resource, 11).granted().fence();

        Denied denied = a.ask(resource, 10).heal(fence + 5).denied(Denied.Reason.NO_VOTE);

        assertThat(denied.blocker()).isNotNull();
        assertThat(a.inspect(resource).fence()).isEqualTo(fence);
    }

    @Test
    void healingIsDeniedWhereAnotherWaits() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        long fence = a.ask(resource, 9).ttl(SHORT_MILLIS).granted().fence();
        b.ask(resource, 11).queue().queued();
        elapseMillis(SHORT_MILLIS);

        a.ask(resource, 10).heal(fence + 5).denied(Denied.Reason.NO_VOTE);
    }

    @Test
    void anOwnPlaceInTheQueueDoesNotKeepFromHealing() {
        ContractClient a = party("a");
        long fence = a.ask(resource, 9).ttl(SHORT_MILLIS).granted().fence();
        a.ask(resource, 10).queue().queued();
        elapseMillis(SHORT_MILLIS);

        assertThat(a.ask(resource, 10).heal(fence + 5).granted().fence()).isEqualTo(fence + 5);
        assertThat(a.inspect(resource).waiters()).isEmpty();
    }

    @Test
    void healingWhereTheFenceIsAbsentBasesItOnTimeAnew() {
        ContractClient a = party("a");

        long healed = a.ask(resource, 10).heal(1).granted().fence();

        assertThat(healed).isBetween(base(nodeMillis() - 5_000), base(nodeMillis() + 5_000));
        a.release(resource, 10);
        assertThat(a.ask(resource, 11).granted().fence()).isEqualTo(healed + 1);
    }

    @Test
    void healingWhereTheFenceIsAbsentKeepsAHigherFloor() {
        ContractClient a = party("a");
        long floor = base(nodeMillis() + 3_600_000);

        assertThat(a.ask(resource, 10).heal(floor).granted().fence()).isEqualTo(floor);
        a.release(resource, 10);
        assertThat(a.ask(resource, 11).granted().fence()).isEqualTo(floor + 1);
    }

    @Test
    void sharedHoldersHealBesideEachOther() {
        ContractClient a = party("a");
        long fence = party("b").ask(resource, 11).mode(LockMode.PR).granted().fence();

        assertThat(a.ask(resource, 10)
                        .mode(LockMode.PR)
                        .heal(fence + 3)
                        .granted()
                        .fence())
                .isEqualTo(fence + 3);
    }

    @Test
    void nlHealsWithoutAFenceAndLeavesTheNodesAlone() {
        ContractClient a = party("a");
        long fence = usedAndFreed(a);

        assertThat(a.ask(resource, 10)
                        .mode(LockMode.NL)
                        .heal(fence + 5)
                        .granted()
                        .fence())
                .isZero();
        assertThat(a.inspect(resource).fence()).isEqualTo(fence);
    }

    @Test
    void fencesAreExactUpToTheLargest() {
        ContractClient a = party("a");
        a.ask(resource, 10).granted();
        long largest = largestFloor();
        assertThat(a.ask(resource, 10).floor(largest).granted().fence()).isEqualTo(largest);
        a.release(resource, 10);

        assertThat(a.ask(resource, 11).granted().fence()).isEqualTo(largest + 1);
        assertThat(a.inspect(resource).fence()).isEqualTo(largest + 1);
    }

    /** Acquires and releases the lock, and returns the node's fence afterwards. */
    private long usedAndFreed(ContractClient party) {
        long fence = party.ask(resource, 1).granted().fence();
        party.release(resource, 1);
        return fence;
    }
}
