package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ResourceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Votes: PROTOCOL §2 and §3, ACQUIRE 1, 3 and 5. */
abstract class VoteContract extends ContractSteps {

    @Test
    void aFreeNodeGrants() {
        Granted granted = party("a").ask(resource, 10).granted();

        assertThat(granted.fence()).isPositive();
        assertThat(granted.contender()).isNull();
    }

    @Test
    void askingAgainChangesNothing() {
        ContractClient a = party("a");

        Granted first = a.ask(resource, 10).granted();
        Granted second = a.ask(resource, 10).granted();

        assertThat(second).isEqualTo(first);
        assertThat(owners(a.inspect(resource))).containsExactly(a.owner(10).toString());
    }

    @Test
    void askingAgainProlongs() {
        ContractClient a = party("a");
        a.ask(resource, 10).ttl(SHORT_MILLIS).granted();

        a.ask(resource, 10).granted();

        elapseMillis(SHORT_MILLIS);
        assertThat(owners(a.inspect(resource))).hasSize(1);
    }

    @Test
    void askingAgainForLessNeverShortens() {
        ContractClient a = party("a");
        a.ask(resource, 10).granted();

        a.ask(resource, 10).ttl(1).granted();

        elapseMillis(50);
        party("b").ask(resource, 11).denied(Denied.Reason.HELD);
    }

    @Test
    void aVoteEndsByItself() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 10).ttl(SHORT_MILLIS).granted();

        elapseMillis(SHORT_MILLIS);

        assertThat(a.inspect(resource).holders()).isEmpty();
        b.ask(resource, 11).granted();
    }

    @Test
    void aDenialSaysWhoIsInTheWayAndForHowLong() {
        ContractClient a = party("a");
        a.ask(resource, 10).granted();

        Denied denied = party("b").ask(resource, 11).denied(Denied.Reason.HELD);

        Blocker blocker = Objects.requireNonNull(denied.blocker());
        assertThat(blocker.kind()).isEqualTo(Blocker.Kind.HOLDFAST);
        assertThat(blocker.owner()).isEqualTo(a.owner(10).toString());
        assertThat(denied.remainingMillis()).isBetween(1L, LONG_MILLIS);
        assertThat(blocker.remainingMillis().orElseThrow()).isBetween(1L, LONG_MILLIS);
    }

    @Test
    void allPairsOfModesAreAsTheMatrixSays() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        List<String> wrong = new ArrayList<>();
        for (LockMode held : LockMode.values()) {
            for (LockMode asked : LockMode.values()) {
                String pair = resource + held + asked;
                a.ask(pair, 10).mode(held).granted();
                AcquireAnswer answer = b.ask(pair, 11).mode(asked).send();
                boolean granted = answer instanceof Granted;
                boolean denied = answer instanceof Denied no && no.reason() == Denied.Reason.HELD;
                if (granted != held.isCompatibleWith(asked) || granted == denied) {
                    wrong.add(asked + " beside " + held + ": " + answer);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void nlBearsNoToken() {
        assertThat(party("a").ask(resource, 10).mode(LockMode.NL).granted().fence())
                .isZero();
    }

    @Test
    void sharedHoldersEachHaveAVoteOfTheirOwn() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        a.ask(resource, 10).mode(LockMode.PR).ttl(LONG_MILLIS / 2).granted();
        b.ask(resource, 11).mode(LockMode.PR).granted();

        Denied denied = party("c").ask(resource, 12).denied(Denied.Reason.HELD);

        assertThat(owners(a.inspect(resource)))
                .containsExactlyInAnyOrder(a.owner(10).toString(), b.owner(11).toString());
        assertThat(denied.remainingMillis()).as("until the first of them ends").isBetween(1L, LONG_MILLIS / 2);
    }

    @Test
    void anotherRoundIsAnotherOwner() {
        ContractClient a = party("a");
        OwnerId first = a.owner(10);
        a.ask(resource, first).granted();

        a.ask(resource, first.inRound(first.round() + 1)).denied(Denied.Reason.HELD);
    }

    @Test
    void theSameAttemptOfAnotherClientIsAnotherOwner() {
        party("a").ask(resource, 10).granted();

        party("b").ask(resource, 10).denied(Denied.Reason.HELD);
    }

    @Test
    void answersTellTheLatestTicket() {
        ContractClient a = party("a");

        assertThat(a.ask(resource, 1_000_007).granted().latestTicketTime()).isEqualTo(1_000_007);
        assertThat(party("b").ask(resource, 5).denied(Denied.Reason.HELD).latestTicketTime())
                .isEqualTo(1_000_007);
    }

    @Test
    void anInspectionShowsVotesInTheOrderOfTheirOwners() {
        ContractClient a = party("a");
        a.ask(resource, 2).mode(LockMode.CR).granted();
        long fence = a.ask(resource, 3).mode(LockMode.CW).granted().fence();
        a.ask(resource, 1).mode(LockMode.NL).granted();

        ResourceState state = a.inspect(resource);

        assertThat(owners(state))
                .containsExactly(
                        a.owner(1).toString(), a.owner(2).toString(), a.owner(3).toString());
        ResourceState.Holder last = state.holders().get(2);
        assertThat(last.kind()).isEqualTo(Blocker.Kind.HOLDFAST);
        assertThat(last.mode()).isEqualTo(LockMode.CW);
        assertThat(last.fence()).isEqualTo(fence);
        assertThat(last.remainingMillis().orElseThrow()).isBetween(1L, LONG_MILLIS);
        assertThat(state.holders().get(0).fence()).isZero();
        assertThat(state.fence()).isEqualTo(fence);
    }
}
