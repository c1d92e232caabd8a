package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** RELEASE with tombstones and seals: PROTOCOL §3. */
abstract class ReleaseContract extends FenceContract {

    @Test
    void aReleaseDropsTheVoteOnce() {
        ContractClient a = party("a");
        a.ask(resource, 10).granted();

        assertThat(a.release(resource, 10)).isInstanceOf(ReleaseAnswer.Released.class);
        assertThat(a.release(resource, 10)).isInstanceOf(ReleaseAnswer.Absent.class);
        party("b").ask(resource, 11).granted();
    }

    @Test
    void aReleaseDropsNobodyElsesVote() {
        ContractClient a = party("a");
        OwnerId holder = a.owner(10);
        a.ask(resource, holder).granted();

        assertThat(party("b").release(resource, 10)).isInstanceOf(ReleaseAnswer.Absent.class);
        assertThat(a.release(new ReleaseRequest(resource, holder.inRound(holder.round() + 1), 0)))
                .isInstanceOf(ReleaseAnswer.Absent.class);
        assertThat(a.release(resource, 9)).isInstanceOf(ReleaseAnswer.Absent.class);

        assertThat(owners(a.inspect(resource))).containsExactly(holder.toString());
    }

    @Test
    void aReleaseAfterTheExpiryDoesNotTouchTheNextHolder() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 10).ttl(SHORT_MILLIS).granted();
        elapseMillis(SHORT_MILLIS);
        b.ask(resource, 11).granted();

        assertThat(a.release(resource, 10)).isInstanceOf(ReleaseAnswer.Absent.class);
        assertThat(owners(b.inspect(resource))).containsExactly(b.owner(11).toString());
    }

    @Test
    void aReleaseGivesThePlaceInTheQueueUp() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        ContractClient c = party("c");
        a.ask(resource, 10).granted();
        b.ask(resource, 11).queue().queued();
        c.ask(resource, 12).queue().queued();

        assertThat(b.release(resource, 11)).isInstanceOf(ReleaseAnswer.Absent.class);
        assertThat(waiters(a.inspect(resource))).containsExactly(c.owner(12).toString());
        a.release(resource, 10);
        c.granted(resource, 12);
    }

    @Test
    void aWaiterThatLeavesLetsThoseBehindItIn() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        ContractClient c = party("c");
        a.ask(resource, 10).mode(LockMode.PR).granted();
        b.ask(resource, 11).queue().queued();
        c.ask(resource, 12).mode(LockMode.PR).queue().queued();

        b.release(resource, 11);

        c.granted(resource, 12);
    }

    @Test
    void aReleaseGivesNoFenceBack() {
        ContractClient a = party("a");
        long fence = a.ask(resource, 10).granted().fence();
        a.release(resource, 10);

        assertThat(a.inspect(resource).fence()).isEqualTo(fence);
        assertThat(a.ask(resource, 11).granted().fence()).isEqualTo(fence + 1);
    }

    @Test
    void aRequestThatItsReleaseHasOvertakenMakesNoVote() {
        ContractClient a = party("a");
        OwnerId owner = a.owner(10);
        assertThat(a.release(new ReleaseRequest(resource, owner, LONG_MILLIS)))
                .isInstanceOf(ReleaseAnswer.Absent.class);

        a.ask(resource, owner).denied(Denied.Reason.BURIED);
        a.ask(resource, owner).queue().denied(Denied.Reason.BURIED);
        a.ask(resource, owner).heal(1).denied(Denied.Reason.BURIED);

        assertThat(a.inspect(resource).waiters()).isEmpty();
        a.ask(resource, owner.inRound(owner.round() + 1)).granted();
    }

    @Test
    void norDoesAnExtensionThatItsReleaseHasOvertakenHealTheVote() {
        ContractClient a = party("a");
        OwnerId owner = a.owner(10);
        long fence = a.ask(resource, owner).granted().fence();

        assertThat(a.release(new ReleaseRequest(resource, owner, LONG_MILLIS)))
                .isInstanceOf(ReleaseAnswer.Released.class);

        a.ask(resource, owner).heal(fence).denied(Denied.Reason.BURIED);
        a.ask(resource, owner).denied(Denied.Reason.BURIED);
        assertThat(a.inspect(resource).holders()).isEmpty();
    }

    @Test
    void norDoesOneThatWaited() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        b.ask(resource, 9).granted();
        a.ask(resource, 10).queue().queued();

        a.release(new ReleaseRequest(resource, a.owner(10), LONG_MILLIS));

        a.ask(resource, 10).queue().denied(Denied.Reason.BURIED);
        assertThat(a.inspect(resource).waiters()).isEmpty();
    }

    @Test
    void theBuriedAreForgottenInTime() {
        ContractClient a = party("a");
        OwnerId owner = a.owner(10);
        a.release(new ReleaseRequest(resource, owner, SHORT_MILLIS));
        elapseMillis(SHORT_MILLIS);

        a.ask(resource, owner).granted();
    }

    @Test
    void withoutBuryAReleaseIsNotRemembered() {
        ContractClient a = party("a");
        a.release(resource, 10);

        a.ask(resource, 10).granted();
    }

    @Test
    void aSealClosesTheLockToEverybodyForItsTime() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 10).granted();
        a.release(new ReleaseRequest(resource, a.owner(10), 0, Seal.now(a.owner(10), SHORT_MILLIS)));

        Seal seal = b.ask(resource, 11).sealed().seal();
        assertThat(seal.remainingMillis().orElseThrow()).isBetween(1L, SHORT_MILLIS);
        assertThat(seal.agoMillis()).isBetween(0L, SHORT_MILLIS);
        assertThat(seal.by()).isEqualTo(a.owner(10).toString());
        a.ask(resource, 12).mode(LockMode.NL).queue().sealed();
        Seal told = Objects.requireNonNull(a.inspect(resource).seal());
        assertThat(told.remainingMillis().orElseThrow()).isBetween(1L, SHORT_MILLIS);
        elapseMillis(SHORT_MILLIS);
        b.ask(resource, 11).granted();
    }

    @Test
    void aSealIsNotShortenedByAnother() {
        ContractClient a = party("a");
        a.release(new ReleaseRequest(resource, a.owner(10), 0, Seal.now(a.owner(10), LONG_MILLIS)));
        a.release(new ReleaseRequest(resource, a.owner(11), 0, Seal.now(a.owner(11), 1)));

        elapseMillis(50);

        Seal first = a.ask(resource, 12).sealed().seal();
        assertThat(first.by()).isEqualTo(a.owner(10).toString());
        assertThat(first.agoMillis()).isGreaterThanOrEqualTo(50);
    }

    @Test
    void aSealThatLastsLongerSaysStillWhoWasFirst() {
        ContractClient a = party("a");
        a.release(new ReleaseRequest(resource, a.owner(10), 0, Seal.now(a.owner(10), SHORT_MILLIS)));
        a.release(new ReleaseRequest(resource, a.owner(11), 0, Seal.now(a.owner(11), LONG_MILLIS)));

        Seal seal = a.ask(resource, 12).sealed().seal();
        assertThat(seal.by()).isEqualTo(a.owner(10).toString());
        assertThat(seal.remainingMillis().orElseThrow()).isGreaterThan(SHORT_MILLIS);
    }

    @Test
    void aSealIsPassedOnAsItWas() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.release(
                new ReleaseRequest(resource, a.owner(10), 0, new Seal(b.owner(7).toString(), 3_000, LONG_MILLIS)));

        Seal seal = b.ask(resource, 12).sealed().seal();
        assertThat(seal.by()).isEqualTo(b.owner(7).toString());
        assertThat(seal.agoMillis()).isBetween(3_000L, 3_000 + LONG_MILLIS);
    }

    @Test
    void aSealLetsNobodyInWhoWaits() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 10).granted();
        b.ask(resource, 11).queue().queued();

        a.release(new ReleaseRequest(resource, a.owner(10), 0, Seal.now(a.owner(10), LONG_MILLIS)));

        b.ask(resource, 11).queue().sealed();
        assertThat(b.inspect(resource).holders()).isEmpty();
        assertThat(b.allPushes(resource)).isEmpty();
    }

    /** Checks that the seal of a former holder counts: its lease was lost, but its work may be done. */
    @Test
    void aSealOfAFormerHolderLetsNobodyInWhoWaitsForTheNextOne() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 10).granted();
        b.ask(resource, 11).queue().queued();
        b.release(new ReleaseRequest(resource, b.owner(9), 0, Seal.now(b.owner(9), LONG_MILLIS)));

        a.release(resource, 10);

        assertThat(b.inspect(resource).holders()).isEmpty();
        assertThat(b.allPushes(resource)).isEmpty();
        b.ask(resource, 11).queue().sealed();
    }
}
