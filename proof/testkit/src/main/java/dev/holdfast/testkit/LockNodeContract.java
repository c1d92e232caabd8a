package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * The contract of every kind of node: PROTOCOL §3, rule by rule. The test of a kind of node extends this class, and
 * names the kind by {@link ContractOf}.
 *
 * <p>All clients that a test connects must see the same node, and no other client may use it meanwhile. Remaining state
 * expires within a minute. The node must remember fences for at least an hour.
 */
public abstract class LockNodeContract extends ValueContract {

    /**
     * Connects a client to the node under test, and returns at once.
     *
     * @param client the client part of its owner ids
     * @param listener notified of pushes, and of the connection once it is made
     */
    @Override
    protected abstract LockNode connect(String client, NodeListener listener);

    /**
     * Lets at least this much time pass on the node's clock. For a real node, the method waits until the node's clock
     * has advanced; a sleep alone is not enough. With {@link Duration#ZERO}, it lets messages under way arrive, if that
     * needs help.
     */
    @Override
    protected abstract void elapse(Duration length);

    @Test
    void namesOfEveryKindAreKeptApart() {
        List<String> names = List.of(
                resource + "ü\uD83D\uDD12",
                resource + "u",
                resource + " with spaces ' \" \\ * ? [a] %s",
                "{" + resource + "}tag",
                resource + "{tag}tail",
                longest(resource));
        ContractClient a = party("a");
        List<Long> tickets = new ArrayList<>();
        for (String name : names) {
            long ticket = 10L + tickets.size();
            tickets.add(ticket);
            a.ask(name, ticket).granted();
        }
        for (int i = 0; i < names.size(); i++) {
            ResourceState state = a.inspect(names.get(i));
            assertThat(state.resource()).isEqualTo(names.get(i));
            assertThat(owners(state)).containsExactly(a.owner(tickets.get(i)).toString());
        }
    }

    /** Returns a name of 1024 bytes of UTF-8. */
    private static String longest(String start) {
        return start + "é".repeat((1024 - start.length()) / 2) + "x".repeat(start.length() % 2);
    }

    @Test
    void whatWasNeverAskedForIsEmpty() {
        assertThat(party("a").inspect(resource))
                .isEqualTo(new ResourceState(resource, 0, List.of(), List.of(), null, null));
    }

    @Test
    void anInspectionShowsThoseInLine() {
        ContractClient a = party("a");
        a.ask(resource, 10).granted();
        a.ask(resource, 12).mode(LockMode.PR).queue().queued();
        a.ask(resource, 11).queue().waiterTtl(LONG_MILLIS / 2).queued();

        List<ResourceState.Waiter> waiters = a.inspect(resource).waiters();

        assertThat(waiters).extracting(ResourceState.Waiter::mode).containsExactly(LockMode.EX, LockMode.PR);
        assertThat(waiters.get(0).remainingMillis()).isBetween(1L, LONG_MILLIS / 2);
        assertThat(waiters.get(1).remainingMillis()).isBetween(LONG_MILLIS / 2, LONG_MILLIS);
    }

    @Test
    void aListNamesWhatIsInUseInOrder() {
        ContractClient a = party("a");
        String prefix = resource + "[*]?:";
        a.ask(prefix + "held", 10).granted();
        a.ask(prefix + "free", 10).granted();
        a.release(prefix + "free", 10);
        a.ask(prefix + "shared", 10).mode(LockMode.PR).granted();
        a.ask(prefix + "interest", 10).mode(LockMode.NL).granted();
        a.release(new ReleaseRequest(prefix + "done", a.owner(10), 0, Seal.now(a.owner(10), LONG_MILLIS)));
        a.ask(resource + "[x]y:other", 10).granted();

        assertThat(a.list(prefix, 100))
                .isEqualTo(new ListAnswer.Names(
                        List.of(prefix + "done", prefix + "held", prefix + "interest", prefix + "shared"), true));
    }

    @Test
    void aListStopsAtItsLimitAndSaysSo() {
        ContractClient a = party("a");
        String prefix = resource + ":";
        for (int i = 0; i < 5; i++) {
            a.ask(prefix + i, 10).granted();
        }

        assertThat(a.list(prefix, 5))
                .matches(ListAnswer.Names::complete)
                .satisfies(names -> assertThat(names.names()).hasSize(5));
        ListAnswer.Names four = a.list(prefix, 4);
        assertThat(four.complete()).isFalse();
        assertThat(four.names()).hasSize(4).allMatch(name -> name.startsWith(prefix));
    }

    @Test
    void requestsOfOneClientAreCarriedOutInTheirOrder() {
        ContractClient a = party("a");
        List<CompletionStage<?>> answers = new ArrayList<>();
        CompletionStage<AcquireAnswer> last = a.node.acquire(a.ask(resource, 1).request());
        for (long ticket = 1; ticket < 200; ticket++) {
            answers.add(a.node.release(new ReleaseRequest(resource, a.owner(ticket), 0)));
            last = a.node.acquire(a.ask(resource, ticket + 1).request());
            answers.add(last);
        }
        until(
                "all answers",
                () -> answers.stream()
                        .allMatch(answer -> answer.toCompletableFuture().isDone()));

        assertThat(answers).noneMatch(answer -> answer.toCompletableFuture().join() instanceof AcquireAnswer.Denied);
        assertThat(last.toCompletableFuture().join()).isInstanceOf(AcquireAnswer.Granted.class);
    }

    @Test
    void aStatusSaysWhichServerItIs() {
        ContractClient a = party("a");
        CompletionStage<NodeStatus> status = a.node.status();
        until("status", () -> status.toCompletableFuture().isDone());

        NodeStatus shown = status.toCompletableFuture().join();
        assertThat(shown.name()).isEqualTo(a.node.name()).isNotBlank();
        assertThat(shown.state()).isEqualTo(NodeStatus.State.UP);
        assertThat(shown.server().id()).startsWith(a.listener.serverId()); // a database may follow
        assertThat(party("b").listener.serverId()).isEqualTo(a.listener.serverId());
    }

    @Test
    void closingEndsWhatIsUnderWayAndAllThatComesLater() {
        ContractClient a = party("a");
        List<CompletionStage<AcquireAnswer>> underWay = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            underWay.add(a.node.acquire(a.ask(resource, 10).request()));
        }
        a.node.close();
        a.node.close();

        until(
                "the end of all requests",
                () -> underWay.stream()
                        .allMatch(answer -> answer.toCompletableFuture().isDone()));
        assertThat(a.ask(resource, 11).send())
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable -> assertThat(unavailable.maybeExecuted()).isFalse());
        assertThat(a.release(resource, 11)).isInstanceOf(Unavailable.class);
    }

    @Test
    void aClientThatClosesLeavesItsVotesToTheirExpiry() {
        ContractClient a = party("a");
        a.ask(resource, 10).ttl(SHORT_MILLIS).granted();
        a.node.close();
        ContractClient b = party("b");

        elapseMillis(SHORT_MILLIS);

        b.ask(resource, 11).granted();
    }
}
