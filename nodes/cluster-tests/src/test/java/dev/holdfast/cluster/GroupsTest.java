package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cluster.ClusterStatus.Health;
import dev.holdfast.cluster.ClusterStatus.Member;
import dev.holdfast.cluster.ClusterStatus.Role;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Unavailable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three servers in this process that divide their locks into three groups. */
@Tag("slow")
class GroupsTest extends OnCluster {

    private static final int GROUPS = 3;

    @BeforeEach
    void startServers() {
        cluster = new TrialCluster(folder, timing, GROUPS);
        cluster.awaitSpread();
    }

    /** Returns the name of a lock of this group. */
    private static String lock(int group) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "lock" + i)
                .filter(name -> LockGroups.of(name, GROUPS) == group)
                .findFirst()
                .orElseThrow();
    }

    private Map<Integer, Long> acquireInEachGroup(LockNode node) {
        Map<Integer, Long> fences = new HashMap<>();
        for (int group = 0; group < GROUPS; group++) {
            fences.put(group, fence(acquire(node, lock(group), 10)));
        }
        return fences;
    }

    /** Checks that each lock of {@link #acquireInEachGroup} is still held. */
    private static void assertHeld(LockNode node, Map<Integer, Long> fences) {
        fences.forEach((group, fence) -> {
            assertThat(fence(acquire(node, lock(group), 10))).isEqualTo(fence);
            assertThat(acquire(node, lock(group), 11)).isInstanceOf(AcquireAnswer.Queued.class);
        });
    }

    /** Repeats a change until it is made, as an operator does when a leader changes under it. */
    private static void repeat(Supplier<CompletionStage<String>> change) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> answer(change.get()), answer -> answer.isEmpty() || answer.contains("there is no member"));
    }

    @Test
    void theLeaderOfAGroupCarriesOutTheRequestsForItsLocks() {
        cluster.electLater(Duration.ofSeconds(50));
        cluster.awaitSpread();
        for (int group = 0; group < GROUPS; group++) {
            ClusterServer leader = cluster.leader(group);
            String lock = lock(group);
            int index = group;
            LockNode atLeader = leader.connect(CLIENT, new SilentListener());
            assertThat(atLeader.groups()).isEqualTo(leader.groups()).satisfies(all -> {
                assertThat(all.count()).isEqualTo(GROUPS);
                assertThat(all.leads(lock)).isTrue();
            });
            assertThat(fence(answer(atLeader.acquire(request(lock, 10))))).isPositive();
            assertThat(answer(atLeader.inspect(lock)))
                    .isInstanceOfSatisfying(
                            ResourceState.class,
                            state -> assertThat(state.holders()).hasSize(1));
            assertThat(answer(atLeader.list("", 10))).isEqualTo(new ListAnswer.Names(List.of(lock), true));
            assertThat(answer(atLeader.status()).state()).isEqualTo(NodeStatus.State.UP);
            atLeader.close();

            for (ClusterServer other : cluster.servers()) {
                assertThat(other.leader(group)).contains(leader.name());
                if (other != leader) {
                    LockNode elsewhere = other.connect(CLIENT, new SilentListener());
                    assertThat(answer(elsewhere.acquire(request(lock, 10))))
                            .isInstanceOfSatisfying(Unavailable.class, refusal -> {
                                assertThat(refusal.maybeExecuted()).isFalse();
                                assertThat(refusal.reason())
                                        .isEqualTo("server " + leader.name() + " leads group " + index
                                                + ", and this is server " + other.name());
                            });
                    assertThat(answer(elsewhere.inspect(lock))).isInstanceOf(Unavailable.class);
                    elsewhere.close();
                }
            }
        }
        LockNode node = cluster.connect(CLIENT, new SilentListener());
        List<String> all =
                IntStream.range(0, GROUPS).mapToObj(GroupsTest::lock).sorted().toList();
        assertThat(resend(() -> node.list("", 10)))
                .as("once the client is connected to all leaders")
                .isEqualTo(new ListAnswer.Names(all, true));
        assertThat(answer(node.list("", 2))).isEqualTo(new ListAnswer.Names(all.subList(0, 2), false));
        node.close();
        assertThatThrownBy(() -> cluster.leader().leader(GROUPS)).hasMessageContaining("there is no group 3");
    }

    @Test
    void theGroupsOfAServerThatStopsMoveAndComeBack() {
        LockNode node = cluster.movingNode(CLIENT, new SilentListener());
        Map<Integer, Long> fences = acquireInEachGroup(node);
        cluster.electLater(Duration.ofSeconds(10));
        cluster.awaitSpread();
        ClusterServer stopping = cluster.leader(0);
        Map<Integer, String> undisturbed = new HashMap<>();
        for (int group = 0; group < GROUPS; group++) {
            if (!stopping.groups().led().contains(group)) {
                undisturbed.put(group, cluster.leader(group).name());
            }
        }
        Map<Integer, Long> terms = new HashMap<>();
        answer(cluster.follower().status()).groups().forEach(group -> terms.put(group.index(), group.term()));

        cluster.stop(stopping.name());
        for (int group = 0; group < GROUPS; group++) {
            assertThat(cluster.leader(group).name()).isNotEqualTo(stopping.name());
        }
        undisturbed.forEach(
                (group, name) -> assertThat(cluster.leader(group).name()).isEqualTo(name));
        assertHeld(node, fences);
        answer(cluster.leader().status()).groups().stream()
                .filter(group -> undisturbed.containsKey(group.index()))
                .forEach(group -> assertThat(group.term()).isEqualTo(terms.get(group.index())));

        cluster.restart(stopping.name());
        cluster.awaitSpread();
        assertHeld(node, fences);
        node.close();
    }

    /** As after a restart, while it does not accept connections yet: requests for its groups would wait. */
    @Test
    void aServerThatClientsCannotReachGetsNoLead() {
        cluster.close();
        cluster = new TrialCluster(folder.resolve("patient"), timing, GROUPS, Duration.ofSeconds(5));
        cluster.awaitSpread();
        cluster.stop("a");
        cluster.restart("a");
        ClusterServer server = cluster.server("a");
        server.setReachable(false);

        await("no lead")
                .during(Duration.ofSeconds(6)) // more than a period of spreading
                .atMost(PATIENCE)
                .until(() -> hasGivenAway(server));
        cluster.stop("b"); // it hands over its leads, and "a" has fewer than "c"
        IntStream.range(0, GROUPS)
                .forEach(group -> assertThat(cluster.leader(group).name()).isEqualTo("c"));
        server.setReachable(true);

        cluster.restart("b");
        cluster.awaitSpread();
    }

    /** Returns whether a server leads nothing. A lead that it got before clients could not reach it goes to another server. */
    private static boolean hasGivenAway(ClusterServer server) {
        Set<Integer> led = server.groups().led();
        led.forEach(group -> server.transfer("b", group));
        return led.isEmpty();
    }

    @Test
    void theStatusNamesTheLeadersOfAllGroups() {
        cluster.electLater(Duration.ofSeconds(50));
        cluster.awaitSpread();
        ClusterServer server = cluster.server("b");
        ClusterStatus status = await().atMost(PATIENCE)
                .until(
                        () -> answer(server.status()),
                        all -> all.members().stream().allMatch(member -> member.health() == Health.WELL));
        assertThat(status.groups()).extracting(ClusterStatus.Group::index).containsExactly(0, 1, 2);
        for (ClusterStatus.Group group : status.groups()) {
            assertThat(group.leader()).contains(cluster.leader(group.index()).name());
            assertThat(group.term()).isPositive();
            assertThat(group.committed()).isPositive();
        }
        for (Member member : status.members()) {
            assertThat(member.role()).isEqualTo(Role.LEADER);
            assertThat(member.led())
                    .containsExactlyInAnyOrderElementsOf(
                            cluster.server(member.name()).groups().led());
            assertThat(member.detail())
                    .isEqualTo("it leads group " + member.led().get(0));
            assertThat(member.log().orElseThrow().lag()).isPresent();
        }
        assertThat(server.leadersKnown()).isTrue();
        assertThat(server.leaderChanges()).isGreaterThanOrEqualTo(GROUPS);
        assertThat(server.position().orElseThrow().last()).isGreaterThanOrEqualTo(GROUPS);

        int moved = cluster.server("a").groups().led().iterator().next();
        assertThat(answer(server.transfer("c", moved))).isEmpty();
        assertThat(cluster.leader(moved).name()).isEqualTo("c");
        assertThatThrownBy(() -> server.transfer("c", -1)).isInstanceOf(IllegalArgumentException.class);
        cluster.awaitSpread();
    }

    /** Any server takes the order, and the leaders of the groups carry it out. */
    @Test
    void serversJoinAndLeaveAllGroups() {
        LockNode node = cluster.movingNode(CLIENT, new SilentListener());
        Map<Integer, Long> fences = acquireInEachGroup(node);
        cluster.start("d", ClusterConfig.Start.JOIN);
        repeat(() -> cluster.server("b").add("d", cluster.address("d")));
        assertThat(answer(cluster.server("c").add("d", cluster.address("d"))))
                .as("added again")
                .isEmpty();
        cluster.moveClients();
        cluster.awaitSpread();

        repeat(() -> cluster.server("d").remove("a"));
        cluster.stop("a");
        cluster.moveClients();
        cluster.awaitSpread();
        assertThat(answer(cluster.server("d").status()).members())
                .extracting(Member::name)
                .containsExactly("b", "c", "d");
        assertHeld(node, fences);
        node.close();
    }

    @Test
    void anotherNumberOfGroupsIsRefused() {
        cluster.stop("c");
        ClusterConfig own = cluster.config("c", ClusterConfig.Start.RESUME);
        assertThatThrownBy(() -> ClusterServer.start(withGroups(own, 4, own.data()), timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("has groups '3', but this server needs '4'");
        assertThatThrownBy(() -> ClusterServer.start(withGroups(own, 1, own.data()), timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("has groups '3', but this server needs '1'");
        ClusterConfig create = cluster.config("c", ClusterConfig.Start.CREATE);
        assertThatThrownBy(() -> ClusterServer.start(withGroups(create, 1, folder.resolve("other")), timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("divides the locks into 3 groups, and server c into 1 group;");

        ClusterConfig joins = cluster.config("d", ClusterConfig.Start.JOIN);
        ClusterConfig alone = new ClusterConfig(
                "trial", "d", Map.of("d", cluster.address("d")), joins.data(), joins.start(), joins.options());
        try (ClusterServer other = ClusterServer.start(withGroups(alone, 2, alone.data()), timing)) {
            assertThat(answer(cluster.server("a").add(other.name(), cluster.address("d"))))
                    .isEqualTo("server a divides the locks into 3 groups, and server d into 2 groups;"
                            + " all servers need the same number");
        }
    }

    private static ClusterConfig withGroups(ClusterConfig config, int groups, Path data) {
        ClusterConfig.Options options = config.options();
        return new ClusterConfig(
                config.cluster(),
                config.name(),
                config.peers(),
                data,
                config.start(),
                new ClusterConfig.Options(
                        groups, options.electionTimeout(), options.snapshotInterval(), options.tls()));
    }

    @Test
    void aNewClusterContinuesFromABackupOfAllGroups() throws Exception {
        LockNode node = cluster.movingNode(CLIENT, new SilentListener());
        Map<Integer, Long> fences = acquireInEachGroup(node);
        byte[] bytes = await().atMost(PATIENCE)
                .until(
                        () -> cluster.server("b")
                                .backup()
                                .toCompletableFuture()
                                .exceptionally(failure -> new byte[0])
                                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS),
                        made -> made.length > 0);
        Path backup = Files.write(folder.resolve("backup"), bytes);
        node.close();

        String address = String.valueOf(TrialCluster.freeAddresses("n").get("n"));
        ClusterConfig three = new ClusterConfig(
                "trial",
                "n",
                Map.of("n", address),
                folder.resolve("n"),
                ClusterConfig.Start.CREATE,
                cluster.config("a", ClusterConfig.Start.CREATE).options());
        assertThatThrownBy(() -> Backup.restore(backup, withGroups(three, 1, three.data()), timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("the backup has 3 groups, but this server has 1");
        Backup.restore(backup, three, timing);
        try (ClusterServer server = ClusterServer.start(three, timing)) {
            LockNode restored = server.connect(CLIENT, new SilentListener());
            assertHeld(restored, fences);
            fences.forEach((group, fence) -> assertThat(fence(acquire(restored, lock(group) + "-" + unused(group), 12)))
                    .isGreaterThan(fence));
            restored.close();
        }
    }

    /** Returns an end of a name that keeps a lock in its group. */
    private static String unused(int group) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(Integer::toString)
                .filter(end -> LockGroups.of(lock(group) + "-" + end, GROUPS) == group)
                .findFirst()
                .orElseThrow();
    }
}
