package dev.holdfast.internal.quorum;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.Refusal;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.OwnerId;
import dev.holdfast.testkit.FaultyNode;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.testkit.RecordingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that stands behind two names of a client has one vote, whenever the client learns of it. */
class OneServerOneVoteTest {

    private static final long RETENTION_MILLIS = 1_000_000;
    private static final OwnerId OTHER = new OwnerId("other~00000000", 1_780_000_000_000_000L, 0);

    private final ManualTiming time = new ManualTiming(1);
    private final MemoryNode one = server("one");
    private final MemoryNode two = server("two");
    private final MemoryNode three = server("three");
    private final List<Name> names = new ArrayList<>();
    private Holdfast holdfast;

    @AfterEach
    void close() {
        names.forEach(name -> name.node.close());
        time.machine().timing().scheduler().close();
    }

    private MemoryNode server(String id) {
        return new MemoryNode(id, time.timing(), RETENTION_MILLIS);
    }

    /** A name, and the server behind it, which may change. */
    private final class Name {

        private final FaultyNode node;
        private final NodeContext context;
        private MemoryNode server;
        private boolean identifies;

        Name(NodeContext context, MemoryNode server, boolean identifies) {
            this.context = context;
            this.server = server;
            this.identifies = identifies;
            this.node = new FaultyNode(
                    "name-" + names.size(),
                    time.timing(),
                    context.listener(),
                    fresh -> this.server.connect(context.client(), this.identifies ? fresh : new RecordingListener()));
        }

        void moveTo(MemoryNode other) {
            node.disconnect("the name has moved");
            server = other;
            node.reconnect();
            time.drain();
        }
    }

    private void connect(boolean secondIdentifies, MemoryNode... servers) {
        var builder = Holdfast.builder().timing(time.timing());
        for (MemoryNode server : servers) {
            builder.node(context -> {
                names.add(new Name(context, server, secondIdentifies || names.size() != 1));
                return names.get(names.size() - 1).node;
            });
        }
        holdfast = builder.build();
        time.drain();
    }

    private void holdByAnother(MemoryNode server) {
        LockNode other = server.connect(OTHER.client(), new RecordingListener());
        other.acquire(AcquireRequest.forVote("lock:x", OTHER, LockMode.EX, 600_000, 10_000, 1));
    }

    private Acquisition tryAcquire() {
        return time.await(holdfast.lock("x").tryAcquireAsync(millis(0)));
    }

    @Test
    void aServerIsNotCountedBeforeItIsIdentified() {
        connect(false, one, one, two);
        names.get(2).node.disconnect("down");

        Acquisition early = tryAcquire();

        assertThat(early)
                .isInstanceOfSatisfying(
                        Acquisition.Refused.class,
                        refused -> assertThat(refused.refusal().reason()).isEqualTo(Refusal.Reason.NO_QUORUM));

        names.get(1).context.listener().available(one.id());
        assertThat(tryAcquire()).isInstanceOf(Acquisition.Refused.class);
        names.get(2).node.reconnect();
        time.drain();
        assertThat(tryAcquire()).isNotInstanceOf(Acquisition.Refused.class);
    }

    @Test
    void aServerThatMovesToAnotherNameHasNoSecondVote() {
        holdByAnother(two);
        connect(true, one, two, three);
        names.get(2).node.disconnect("down");
        CompletableFuture<Lease> waiting = holdfast.lock("x").acquireAsync(seconds(20));
        time.advance(millis(1)); // the vote of one node has arrived
        assertThat(waiting).isNotDone();

        MemoryNode silent = server("silent");
        names.get(0).node.requests().lose();
        names.get(0).moveTo(silent);
        names.get(1).moveTo(one);
        time.advance(seconds(2));

        assertThat(waiting).as("one server has granted").isNotDone();
        names.get(0).node.heal();
        time.await(waiting);
    }

    @Test
    void aServerUnderTwoNamesIsNoMajorityForPeopleEither() throws Exception {
        connect(true, one, two, three);
        Lease lease = tryAcquire().lease();
        names.get(2).node.disconnect("down");
        names.get(1).moveTo(one);

        LockStatus status = holdfast.admin().status("x");

        assertThat(status.answered()).isEqualTo(1);
        assertThat(status.hasQuorum()).isFalse();
        assertThat(holdfast.admin().list("", 10).hasQuorum()).isFalse();
        assertThat(holdfast.admin()
                        .breakLease("x", lease.fencingToken(), "a test")
                        .outcome())
                .isEqualTo(BreakOutcome.UNCONFIRMED);
    }
}
