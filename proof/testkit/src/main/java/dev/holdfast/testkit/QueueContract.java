package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.Push;
import dev.holdfast.node.ResourceState;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The queue, promotion and pushes: PROTOCOL §3, ACQUIRE 3 and 4, promote. */
abstract class QueueContract extends VoteContract {

    @Test
    void whoWaitsIsToldItsPlaceAndWhatItWaitsFor() {
        ContractClient a = party("a");
        Granted granted = a.ask(resource, 10).granted();

        Queued queued = party("b").ask(resource, 11).queue().queued();

        assertThat(queued.place()).isEqualTo(1);
        assertThat(queued.fence()).isEqualTo(granted.fence());
        assertThat(queued.remainingMillis()).isBetween(1L, LONG_MILLIS);
        assertThat(Objects.requireNonNull(queued.blocker()).owner())
                .isEqualTo(a.owner(10).toString());
        assertThat(queued.latestTicketTime()).isEqualTo(11);
    }

    @Test
    void placesGoByTicketNotByArrival() {
        ContractClient b = party("b");
        ContractClient c = party("c");
        party("a").ask(resource, 10).granted();

        b.ask(resource, 12).queue().queued();

        assertThat(c.ask(resource, 11).queue().queued().place()).isEqualTo(1);
        assertThat(b.ask(resource, 12).queue().queued().place()).isEqualTo(2);
        assertThat(waiters(b.inspect(resource)))
                .containsExactly(c.owner(11).toString(), b.owner(12).toString());
    }

    @Test
    void aReleaseGrantsToTheFirstAndTellsIt() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        long fence = a.ask(resource, 10).granted().fence();
        b.ask(resource, 11).queue().queued();

        a.release(resource, 10);

        assertThat(b.granted(resource, 11)).isEqualTo(fence + 1);
        assertThat(owners(b.inspect(resource))).containsExactly(b.owner(11).toString());
        assertThat(b.ask(resource, 11).queue().granted().fence()).isEqualTo(fence + 1);
    }

    @Test
    void aGrantFromTheQueueIsShortAtFirst() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 10).granted();
        b.ask(resource, 11).queue().waiterTtl(SHORT_MILLIS).queued();
        a.release(resource, 10);
        b.granted(resource, 11);

        ResourceState.Holder holder = b.inspect(resource).holders().get(0);
        assertThat(holder.remainingMillis().orElseThrow()).isLessThanOrEqualTo(SHORT_MILLIS);

        b.ask(resource, 11).queue().granted();
        assertThat(b.inspect(resource).holders().get(0).remainingMillis().orElseThrow())
                .isGreaterThan(SHORT_MILLIS);
    }

    @Test
    void requestsWithAShorterTtlAreToldTheTtlOfAWaiter() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        ContractClient c = party("c");
        a.ask(resource, 10).ttl(LONG_MILLIS / 2).granted();
        Denied before = c.ask(resource, 14).ttl(LONG_MILLIS / 2).denied(Denied.Reason.HELD);
        assertThat(before.longestTtlMillis()).isZero();

        b.ask(resource, 11).queue().ttl(LONG_MILLIS).queued();
        Denied behindOne = c.ask(resource, 14).ttl(LONG_MILLIS / 2).denied(Denied.Reason.HELD);
        assertThat(behindOne.longestTtlMillis()).isEqualTo(LONG_MILLIS);

        b.ask(resource, 12).queue().ttl(2 * LONG_MILLIS).queued();
        b.ask(resource, 13).queue().mode(LockMode.NL).ttl(3 * LONG_MILLIS).granted();
        Queued behindTwo = c.ask(resource, 14).queue().ttl(LONG_MILLIS / 2).queued();
        assertThat(behindTwo.longestTtlMillis()).isEqualTo(2 * LONG_MILLIS);

        a.release(resource, 10);
        b.granted(resource, 11);
        Denied afterwards = a.ask(resource, 15).ttl(LONG_MILLIS / 2).denied(Denied.Reason.HELD);
        assertThat(afterwards.longestTtlMillis()).isEqualTo(2 * LONG_MILLIS);
    }

    @Test
    void grantsGoInTheOrderOfTicketsAndStopAtTheFirstThatMustWait() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 10).granted();
        b.ask(resource, 14).mode(LockMode.PR).queue().queued();
        b.ask(resource, 13).queue().queued();
        b.ask(resource, 12).mode(LockMode.PR).queue().queued();
        b.ask(resource, 11).mode(LockMode.PR).queue().queued();

        a.release(resource, 10);

        assertThat(b.granted(resource, 12)).isEqualTo(b.granted(resource, 11) + 1);
        ResourceState state = b.inspect(resource);
        assertThat(owners(state))
                .containsExactly(b.owner(11).toString(), b.owner(12).toString());
        assertThat(waiters(state))
                .containsExactly(b.owner(13).toString(), b.owner(14).toString());
    }

    @Test
    void readersThatComeLaterDoNotPassAWaitingWriter() {
        ContractClient a = party("a");
        ContractClient c = party("c");
        a.ask(resource, 10).mode(LockMode.PR).granted();
        party("b").ask(resource, 11).queue().queued();

        c.ask(resource, 12).mode(LockMode.PR).denied(Denied.Reason.WAITERS);
        assertThat(c.ask(resource, 12).mode(LockMode.PR).queue().queued().place())
                .isEqualTo(2);
    }

    @Test
    void nlPassesTheQueue() {
        ContractClient a = party("a");
        a.ask(resource, 10).granted();
        party("b").ask(resource, 11).queue().queued();

        party("c").ask(resource, 12).mode(LockMode.NL).queue().granted();
    }

    @Test
    void aNewcomerDoesNotTakeWhatHasBecomeFreeFromWhoWaitsForIt() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        ContractClient c = party("c");
        a.ask(resource, 10).ttl(SHORT_MILLIS).granted();
        b.ask(resource, 11).queue().queued();
        elapseMillis(SHORT_MILLIS);

        c.ask(resource, 12).denied(Denied.Reason.WAITERS);
        b.ask(resource, 11).queue().granted();
    }

    @Test
    void anEarlierTicketGoesFirstThoughItComesLater() {
        ContractClient b = party("b");
        party("a").ask(resource, 10).ttl(SHORT_MILLIS).granted();
        b.ask(resource, 12).queue().queued();
        elapseMillis(SHORT_MILLIS);

        party("c").ask(resource, 11).granted();
        assertThat(b.ask(resource, 12).queue().queued().place()).isEqualTo(1);
    }

    @Test
    void whoAsksAfterAnExpiryWakesWhoCameBefore() {
        ContractClient b = party("b");
        ContractClient c = party("c");
        party("a").ask(resource, 10).ttl(SHORT_MILLIS).granted();
        Queued before = b.ask(resource, 11).queue().queued();
        elapseMillis(SHORT_MILLIS);

        Queued queued = c.ask(resource, 12).queue().queued();

        assertThat(b.granted(resource, 11)).isGreaterThan(before.fence());
        assertThat(queued.fence()).as("the fence before that grant").isEqualTo(before.fence());
        assertThat(Objects.requireNonNull(queued.blocker()).owner())
                .isEqualTo(b.owner(11).toString());
    }

    @Test
    void aPlaceIsLostByWhoNoLongerAsks() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        ContractClient c = party("c");
        a.ask(resource, 10).granted();
        b.ask(resource, 11).queue().waiterTtl(SHORT_MILLIS).queued();
        c.ask(resource, 12).queue().queued();

        elapseMillis(SHORT_MILLIS);
        a.release(resource, 10);

        c.granted(resource, 12);
        assertThat(b.allPushes(resource)).isEmpty();
    }

    @Test
    void askingAgainKeepsThePlace() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 10).granted();
        b.ask(resource, 11).queue().waiterTtl(SHORT_MILLIS).queued();
        b.ask(resource, 11).queue().queued();

        elapseMillis(SHORT_MILLIS);

        assertThat(waiters(b.inspect(resource))).containsExactly(b.owner(11).toString());
    }

    @Test
    void theFirstWhoWaitsIsToldToTheHolder() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        Granted granted = a.ask(resource, 10).granted();

        b.ask(resource, 11).queue().queued();
        b.ask(resource, 12).queue().queued();
        b.ask(resource, 11).queue().queued();

        assertThat(a.allPushes(resource))
                .containsExactly(new Push.Contended(
                        resource, a.owner(10), granted.fence(), b.owner(11).ticket(), null));
    }

    @Test
    void aGrantFromTheQueueTellsWhoWaitsBehindIt() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        ContractClient c = party("c");
        a.ask(resource, 10).granted();
        b.ask(resource, 11).queue().queued();
        c.ask(resource, 12).queue().queued();

        a.release(resource, 10);

        long fence = b.granted(resource, 11);
        assertThat(b.allPushes(resource))
                .as("the waiter first, so that the lease is made with it known")
                .containsExactly(
                        new Push.Contended(
                                resource, b.owner(11), fence, c.owner(12).ticket(), null),
                        new Push.Granted(resource, b.owner(11), fence, null));
        b.release(resource, 11);
        c.granted(resource, 12);
        assertThat(c.allPushes(resource)).as("no waiter is left").hasSize(1);
    }

    @Test
    void aGrantFromTheQueueTellsOnlyOfAWaiterThatItHoldsUp() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 10).granted();
        b.ask(resource, 11).mode(LockMode.PR).queue().queued();
        b.ask(resource, 12).mode(LockMode.PR).queue().queued();
        b.ask(resource, 13).queue().queued();

        a.release(resource, 10);

        b.granted(resource, 12);
        assertThat(b.contended(resource, 11).waiter()).isEqualTo(b.owner(13).ticket());
        assertThat(b.contended(resource, 12).waiter()).isEqualTo(b.owner(13).ticket());
    }

    @Test
    void theFirstWhoWaitsBehindAVoteIsToldToItsHolderThoughOthersWaitBehindAnotherVote() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        ContractClient c = party("c");
        a.ask(resource, 10).mode(LockMode.CR).granted();
        b.ask(resource, 11).mode(LockMode.PW).granted();
        c.ask(resource, 12).mode(LockMode.PR).queue().queued();

        c.ask(resource, 13).queue().queued();
        c.ask(resource, 13).queue().queued();

        assertThat(a.allPushes(resource))
                .as("of the reader that CR does not hold up nothing, of the writer once")
                .extracting(push -> ((Push.Contended) push).waiter())
                .containsExactly(c.owner(13).ticket());
        assertThat(b.allPushes(resource))
                .extracting(push -> ((Push.Contended) push).waiter())
                .containsExactly(c.owner(12).ticket());
    }

    @Test
    void everyEarlierRequestIsToldToALaterHolderEachTimeItAsks() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 20).granted();

        b.ask(resource, 12).queue().queued();
        b.ask(resource, 11).queue().queued();
        b.ask(resource, 11).queue().queued();

        assertThat(a.allPushes(resource))
                .extracting(push -> ((Push.Contended) push).waiter().time())
                .containsExactly(12L, 11L, 11L);
    }

    @Test
    void anExtensionTellsWhoWaits() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 10).mode(LockMode.PR).granted();
        a.ask(resource, 11).mode(LockMode.CR).granted();
        b.ask(resource, 12).mode(LockMode.CW).queue().queued();
        b.ask(resource, 13).mode(LockMode.EX).queue().queued();

        assertThat(a.ask(resource, 10).mode(LockMode.PR).granted().contender())
                .isEqualTo(b.owner(12).ticket());
        assertThat(a.ask(resource, 11).mode(LockMode.CR).granted().contender())
                .as("a CR vote does not hold CW up")
                .isEqualTo(b.owner(13).ticket());
    }

    @Test
    void pushesGoToTheOwnersClientOnly() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        ContractClient c = party("c");
        a.ask(resource, 10).granted();
        b.ask(resource, 11).queue().queued();
        a.contended(resource, 10);
        a.release(resource, 10);
        b.granted(resource, 11);

        assertThat(c.allPushes(resource)).isEmpty();
        assertThat(a.allPushes(resource)).hasSize(1);
    }
}
