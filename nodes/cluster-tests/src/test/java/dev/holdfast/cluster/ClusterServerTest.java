package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import dev.holdfast.redis.process.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three servers in this process, with real logs on disk and real connections between them. */
@Tag("slow")
class ClusterServerTest extends OnCluster {

    @BeforeEach
    void startServers() {
        cluster = new TrialCluster(folder, timing, Duration.ofSeconds(1), null);
    }

    private LockNode client(NodeListener listener) {
        return cluster.connect(CLIENT, listener);
    }

    /** Another server may lead instead, and its clients may have changed the lock since. */
    @Test
    void aLeaderThatReachesNoMajorityAnswersNoQuery() {
        ClusterServer leader = cluster.leader();
        acquire(client(new SilentListener()), request("x", 10));
        cluster.electLater(Duration.ofSeconds(10)); // so that it still leads by its own account
        cluster.servers().stream().filter(server -> server != leader).forEach(server -> cluster.stop(server.name()));

        InspectAnswer state =
                answer(leader.connect(CLIENT, new SilentListener()).inspect("x"));

        assertThat(state).isInstanceOf(Unavailable.class);
    }

    @Test
    void aLeaderIsReplacedAndItsLocksStayHeld() {
        cluster.leader();
        LockNode node = client(new SilentListener());
        long held = fence(acquire(node, request("held", 10)));
        long released = fence(acquire(node, request("released", 10)));
        assertThat(acquire(node, request("held", 11))).isInstanceOf(AcquireAnswer.Queued.class);
        release(node, new ReleaseRequest("released", owner(10), 0));
        LockValue value = new LockValue(held, 1, "left");
        assertThat(fence(acquire(node, request("held", 10).extending(held, value))))
                .isEqualTo(held);
        release(node, new ReleaseRequest("sealed", owner(10), 0, Seal.now(owner(10), LONG_MILLIS)));

        cluster.stop(cluster.leader().name());

        assertThat(fence(acquire(node, request("released", 12)))).isGreaterThan(released);
        assertThat(acquire(node, request("sealed", 13))).isInstanceOf(AcquireAnswer.Sealed.class);
        AcquireAnswer.Queued queued = (AcquireAnswer.Queued) acquire(node, request("held", 14));
        assertThat(queued.place()).as("behind the waiter of the former leader").isEqualTo(2);
        assertThat(fence(acquire(node, request("held", 10).extending(held, null))))
                .isEqualTo(held);

        release(node, new ReleaseRequest("held", owner(10), 0));

        // a notification is a hint: the waiter re-sends its request too
        long next = fence(await().atMost(PATIENCE)
                .until(() -> acquire(node, request("held", 11)), AcquireAnswer.Granted.class::isInstance));
        assertThat(next).isGreaterThan(held);
        assertThat(((ResourceState) resend(() -> node.inspect("held"))).value()).isEqualTo(value);
        node.close();
    }

    /** The log has room for 64 KiB of each text. The lock server lets no client send that much. */
    @Test
    void anOperationThatTheLogCannotHoldStopsNoOthers() {
        cluster.leader();
        LockNode node = client(new SilentListener());
        Seal large = new Seal("x".repeat(70_000), 0, LONG_MILLIS);
        for (long ticket = 20; ticket < 23; ticket++) {
            ReleaseRequest request = new ReleaseRequest("sealed", owner(ticket), 0, large);
            assertThat(answer(node.release(request))).isInstanceOf(Unavailable.class);
        }

        assertThat(acquire(node, request("other", 23))).isInstanceOf(AcquireAnswer.Granted.class);
        node.close();
    }

    @Test
    void aServerThatFollowsRefusesAndNamesTheLeader() {
        cluster.leader();
        cluster.electLater(Duration.ofSeconds(50));
        ClusterServer leader = cluster.leader();
        ClusterServer follower = cluster.follower();
        await().atMost(PATIENCE).until(() -> follower.leader(0).equals(Optional.of(leader.name())));
        LockNode node = follower.connect(CLIENT, new SilentListener());

        assertThat(answer(node.acquire(request("x", 10)))).isInstanceOfSatisfying(Unavailable.class, refusal -> {
            assertThat(refusal.maybeExecuted()).isFalse();
            assertThat(refusal.reason()).contains("server " + leader.name() + " leads");
        });
        node.close();
    }

    /** Notes the last reason why a server carries out no requests. */
    private static final class Reasons implements NodeListener {

        private volatile String last = "";

        @Override
        public void pushed(Push push) {}

        @Override
        public void available(String serverId) {
            last = "";
        }

        @Override
        public void unavailable(String reason) {
            last = reason;
        }

        @Override
        public void refused(String reason) {
            last = reason;
        }
    }

    /** A client that cannot reach the leader otherwise reads that there is none. */
    @Test
    void aClientOfAFollowerLearnsWhichServerLeadsAfterAnElection() {
        String former = cluster.leader().name();
        Map<String, Reasons> reasons = new TreeMap<>();
        for (ClusterServer server : cluster.servers()) {
            if (!server.name().equals(former)) {
                reasons.put(server.name(), new Reasons());
                server.connect(CLIENT, Objects.requireNonNull(reasons.get(server.name())));
            }
        }

        cluster.stop(former);

        await().atMost(PATIENCE).untilAsserted(() -> {
            String leader = cluster.leader().name();
            reasons.forEach((name, its) -> assertThat(its.last)
                    .as("server %s", name)
                    .isEqualTo(name.equals(leader) ? "" : "server " + leader + " leads, and this is server " + name));
        });
    }

    @Test
    void aMajorityIsNeededAndEnough() {
        cluster.leader();
        LockNode node = client(new SilentListener());
        long fence = fence(acquire(node, request("x", 10)));
        String one = cluster.leader().name();
        cluster.stop(one);
        assertThat(fence(acquire(node, request("x", 10)))).as("two of three").isEqualTo(fence);
        String two = cluster.leader().name();
        cluster.stop(two);

        CompletionStage<AcquireAnswer> alone = node.acquire(request("y", 11));
        assertThat(answer(alone)).as("one of three").isInstanceOf(Unavailable.class);

        cluster.start(two, ClusterConfig.Start.RESUME);
        LockNode again = client(new SilentListener());
        assertThat(acquire(again, request("x", 12))).isInstanceOf(AcquireAnswer.Queued.class);
        assertThat(fence(acquire(again, request("x", 10)))).isEqualTo(fence);
        node.close();
        again.close();
    }

    /** All servers stop. They have the state again from a snapshot and the log behind it. */
    @Test
    void allServersRestartFromSnapshotAndLog() {
        cluster.leader();
        LockNode node = client(new SilentListener());
        long early = fence(acquire(node, request("early", 10)));
        for (int i = 0; i < 20; i++) {
            fence(acquire(node, request("many" + i, 10)));
        }
        for (ClusterServer server : cluster.servers()) {
            await().atMost(PATIENCE).until(() -> answer(server.snapshot()), String::isEmpty);
        }
        long late = fence(acquire(node, request("late", 10)));
        node.close();

        for (String name : List.of("a", "b", "c")) {
            cluster.stop(name);
            assertThat(folder.resolve(name).resolve("snapshots")).isNotEmptyDirectory();
        }
        for (String name : List.of("a", "b", "c")) {
            cluster.start(name, ClusterConfig.Start.RESUME);
        }
        cluster.leader();
        LockNode again = client(new SilentListener());

        assertThat(acquire(again, request("early", 11))).isInstanceOf(AcquireAnswer.Queued.class);
        assertThat(fence(acquire(again, request("early", 10)))).isEqualTo(early);
        assertThat(fence(acquire(again, request("late", 10)))).isEqualTo(late);
        ResourceState state = (ResourceState) resend(() -> again.inspect("early"));
        assertThat(state.waiters()).hasSize(1);
        again.close();
    }

    /** As on a disk that is full, or that fails. */
    @Test
    void aServerThatCannotWriteItsVoteIsShownAsStopped() throws IOException {
        ClusterServer leader = cluster.leader();
        ClusterServer stopped = cluster.follower();
        Path votes = folder.resolve(stopped.name()).resolve("meta");
        FileTree.delete(votes);
        Files.writeString(votes, "no folder, so that writing fails");
        answer(leader.transfer(stopped.name()));

        for (ClusterServer server : cluster.servers()) {
            await(server.name() + " reports " + stopped.name())
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(answer(server.status()).members())
                            .filteredOn(member -> member.name().equals(stopped.name()))
                            .singleElement()
                            .satisfies(member -> {
                                assertThat(member.health()).isEqualTo(ClusterStatus.Health.STOPPED);
                                assertThat(member.detail()).contains("the server has stopped", "meta");
                                assertThat(member.log()).isEmpty();
                            }));
        }
        assertThat(stopped.position()).isEmpty();
        LockNode node = client(new SilentListener());
        assertThat(acquire(node, request("goes on", 10))).isInstanceOf(AcquireAnswer.Granted.class);
    }

    @Test
    void aFolderOfAnotherClusterIsRefused() {
        String name = cluster.follower().name();
        cluster.stop(name);
        ClusterConfig own = cluster.config(name, ClusterConfig.Start.RESUME);
        ClusterConfig another =
                new ClusterConfig("another", name, own.peers(), own.data(), ClusterConfig.Start.CREATE, own.options());

        assertThatThrownBy(() -> ClusterServer.start(another, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("cluster 'trial'");
    }

    @Test
    void aFolderOfALaterReleaseIsRefused() throws IOException {
        String name = cluster.follower().name();
        cluster.stop(name);
        Path file = folder.resolve(name).resolve("cluster.properties");
        Files.writeString(file, Files.readString(file).replace("format=1", "format=9"));

        assertThatThrownBy(() -> cluster.start(name, ClusterConfig.Start.RESUME))
                .isInstanceOf(HoldfastException.class)
                .hasMessage(
                        file + " has format '9'; this release knows 1 and 2. If a later release wrote it, start that"
                                + " release.");
    }

    @Test
    void anAddressInUseIsReported() {
        ClusterServer running = cluster.leader();
        ClusterConfig taken = cluster.config(running.name(), ClusterConfig.Start.RESUME);
        ClusterConfig second = new ClusterConfig(
                "trial",
                taken.name(),
                taken.peers(),
                folder.resolve("second"),
                ClusterConfig.Start.CREATE,
                taken.options());

        assertThatThrownBy(() -> ClusterServer.start(second, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessage("server " + taken.name() + " cannot start at "
                        + taken.peers().get(taken.name()) + ": Address already in use");
        cluster.leader();
    }
}
