package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cluster.ClusterStatus.Health;
import dev.holdfast.cluster.ClusterStatus.Member;
import dev.holdfast.cluster.ClusterStatus.Role;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real servers in this process that join, leave, and come back without their disks. */
@Tag("slow")
class ClusterMembersTest extends OnCluster {

    @BeforeEach
    void startServers() {
        cluster = new TrialCluster(folder, timing, Duration.ofSeconds(1), null);
    }

    private ClusterStatus status() {
        return answer(cluster.leader().status());
    }

    private static Member member(ClusterStatus status, String name) {
        return status.members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private LockNode client() {
        return cluster.movingNode(CLIENT, new SilentListener());
    }

    @Test
    void theStatusShowsEveryMember() {
        cluster.leader();
        LockNode node = client();
        fence(acquire(node, request("x", 10)));
        ClusterServer follower = cluster.follower();
        await().atMost(PATIENCE).until(() -> answer(follower.status()).leader().isPresent());

        ClusterStatus status = await().atMost(PATIENCE)
                .until(
                        () -> answer(follower.status()),
                        all -> all.members().stream()
                                .allMatch(member -> member.health() == Health.WELL
                                        && member.log().orElseThrow().applied() > 0
                                        && member.log().orElseThrow().applied()
                                                == member.log().orElseThrow().last()));
        assertThat(status.members()).extracting(Member::name).containsExactly("a", "b", "c");
        assertThat(status.members())
                .extracting(Member::address)
                .containsExactly(cluster.address("a"), cluster.address("b"), cluster.address("c"));
        assertThat(status.term()).isPositive();
        assertThat(status.cluster()).isEqualTo("trial");
        assertThat(status.server()).isEqualTo(follower.name());
        assertThat(status.members())
                .filteredOn(member -> member.role() == Role.LEADER)
                .hasSize(1);

        for (int i = 0; i < 20; i++) {
            fence(acquire(node, request("many" + i, 10)));
        }
        await().atMost(PATIENCE).until(() -> answer(follower.snapshot()), String::isEmpty);
        ClusterStatus.LogPosition log =
                member(answer(follower.status()), follower.name()).log().orElseThrow();
        assertThat(log.snapshot()).hasValueSatisfying(snapshot -> {
            assertThat(snapshot.index()).isBetween(20L, log.applied());
            assertThat(snapshot.age()).isLessThan(PATIENCE);
            assertThat(snapshot.bytes()).isPositive();
        });
        assertThat(log.lag()).isPresent();
        assertThat(log.committed()).isBetween(log.applied(), log.last());

        assertThat(member(status(), follower.name()).health()).isEqualTo(Health.WELL);
        cluster.stop(follower.name());
        Member stopped = await().atMost(PATIENCE)
                .until(() -> member(status(), follower.name()), member -> member.health() == Health.SILENT);
        assertThat(stopped.role()).isEqualTo(Role.UNKNOWN);
        assertThat(stopped.detail()).isEqualTo("no connection: it does not run, or cannot be reached");
        assertThat(stopped.lastContact()).isPresent();
        assertThat(status().takingPart()).isEqualTo(2);
        assertThat(status().majority()).isEqualTo(2);
        assertThat(stopped.log()).isEmpty();
        node.close();
    }

    /** The new member is in the leader's log, but no majority can know it. */
    @Test
    void aChangeThatIsNotCommittedIsNotConfirmedWhenItIsRepeated() {
        ClusterServer leader = cluster.leader();
        cluster.electLater(Duration.ofSeconds(3)); // for as long, the leader does not miss its followers
        cluster.start("d", ClusterConfig.Start.JOIN);
        TrialCluster.FOUNDERS.stream()
                .filter(name -> !name.equals(leader.name()))
                .forEach(cluster::stop);
        CompletionStage<String> first = leader.add("d", cluster.address("d"));
        List<String> repeated = new ArrayList<>();
        while (!first.toCompletableFuture().isDone()) {
            repeated.add(answer(leader.add("d", cluster.address("d"))));
        }
        assertThat(answer(first)).isNotEmpty();
        assertThat(repeated).isNotEmpty().doesNotContain("");
    }

    @Test
    void serversJoinAndLeave() {
        cluster.leader();
        LockNode node = client();
        long held = fence(acquire(node, request("held", 10)));
        cluster.start("d", ClusterConfig.Start.JOIN);
        cluster.start("e", ClusterConfig.Start.JOIN);
        assertThat(cluster.servers())
                .extracting(ClusterServer::clusterId)
                .as("the name and the mark of the cluster")
                .allMatch(id -> id.matches("trial#[0-9a-f]{8}"))
                .containsOnly(cluster.leader().clusterId());
        assertThat(answer(cluster.server("d").status()).members())
                .as("before it is added")
                .isEmpty();
        change(leader -> leader.add("d", cluster.address("d")));
        change(leader -> leader.add("e", cluster.address("e")));
        assertThat(status().members()).extracting(Member::name).containsExactly("a", "b", "c", "d", "e");

        assertThat(answer(cluster.leader().add("e", cluster.address("e"))))
                .as("added again")
                .isEmpty();
        assertThat(answer(cluster.leader().add("f", cluster.address("e"))))
                .contains("is server e of cluster trial, not server f");
        assertThat(answer(cluster.leader().remove("f"))).contains("no member f; the members are a, b, c, d, e");
        assertThatThrownBy(() -> cluster.leader().add("g", "10.0.0.1:1")).isInstanceOf(IllegalArgumentException.class);

        // the three that created the cluster go; the two that joined keep all locks
        for (String name : TrialCluster.FOUNDERS) {
            if (cluster.leader().name().equals(name)) {
                change(leader -> leader.name().equals(name) ? leader.transfer("d") : answered(""));
            }
            change(leader -> leader.remove(name));
            cluster.stop(name);
        }
        cluster.moveClients();
        assertThat(status().members()).extracting(Member::name).containsExactly("d", "e");
        assertThat(fence(acquire(node, request("held", 10)))).isEqualTo(held);
        assertThat(acquire(node, request("held", 11))).isInstanceOf(AcquireAnswer.Queued.class);

        cluster.stop("d");
        cluster.restart("d");
        assertThat(fence(acquire(node, request("held", 10)))).isEqualTo(held);
        node.close();
    }

    /** Without the member, no server could lead: the one that is dead would count as half of the cluster. */
    @Test
    void aMemberStaysIfTheRestWouldHaveNoMajority() {
        cluster.leader();
        String dead = cluster.leader().name().equals("c") ? "b" : "c";
        cluster.stop(dead);
        String other = Stream.of("a", "b", "c")
                .filter(name ->
                        !name.equals(dead) && !name.equals(cluster.leader().name()))
                .findFirst()
                .orElseThrow();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(answer(cluster.leader().remove(other)))
                        .isEqualTo("server " + other + " is not removed: of the other 2 servers, 2 must take part, and"
                                + " these do not: " + dead + "; start or remove them first"));

        change(leader -> leader.remove(dead));
        assertThat(status().members()).hasSize(2);
    }

    private static CompletionStage<String> answered(String answer) {
        return CompletableFuture.completedFuture(answer);
    }

    /** To the engine, another name of the same host is another server, whose messages this one would not take. */
    @Test
    void aServerIsAddedByTheAddressThatItHasItself() {
        cluster.leader();
        cluster.start("d", ClusterConfig.Start.JOIN);
        String other = cluster.address("d").replace("127.0.0.1", "localhost");

        assertThat(answer(cluster.leader().add("d", other)))
                .isEqualTo("server d has the address " + cluster.address("d") + " in its own settings, not " + other);
        assertThat(status().members()).hasSize(3);
    }

    /** The members are addresses with identities, so the others would not know it any more. */
    @Test
    void aServerKeepsItsAddress() {
        cluster.leader();
        cluster.stop("c");
        ClusterConfig own = cluster.config("c", ClusterConfig.Start.RESUME);
        Map<String, String> moved = new TreeMap<>(own.peers());
        moved.put("c", String.valueOf(TrialCluster.freeAddresses("c").get("c")));

        assertThatThrownBy(() -> ClusterServer.start(
                        new ClusterConfig("trial", "c", moved, own.data(), own.start(), own.options()), timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("has address '" + cluster.address("c") + "', but this server needs '"
                        + moved.get("c") + "'. The other servers know it by its former address.");
        cluster.start("d", ClusterConfig.Start.JOIN);
        cluster.stop("d");
        ClusterConfig joined = cluster.config("d", ClusterConfig.Start.RESUME);
        moved.remove("c");
        moved.put("d", String.valueOf(TrialCluster.freeAddresses("d").get("d")));
        assertThatThrownBy(() -> ClusterServer.start(
                        new ClusterConfig("trial", "d", moved, joined.data(), joined.start(), joined.options()),
                        timing))
                .hasMessageContaining("has address '" + cluster.address("d") + "'");
    }

    @Test
    void theLeadGoesToAnotherServerOnRequest() {
        cluster.leader();
        cluster.electLater(Duration.ofSeconds(50));
        ClusterServer first = cluster.leader();
        String next = cluster.follower().name();

        assertThat(answer(first.transfer("f"))).contains("there is no member f");
        assertThat(answer(first.transfer(next))).isEmpty();

        assertThat(cluster.leader().name()).isEqualTo(next);
        assertThat(answer(first.transfer(next)))
                .as("a server that follows asks the leader, which leads already")
                .isEmpty();
    }

    /** Every server in turn loses its disk. No grant, no seal, no value and no token is lost, although in the end no server has its first disk. */
    @Test
    void serversThatLoseTheirDisksAreRemovedAndAddedAgain() {
        cluster.leader();
        LockNode node = client();
        long held = fence(acquire(node, request("held", 10)));
        long released = fence(acquire(node, request("released", 10)));
        resend(() -> node.release(new ReleaseRequest("released", owner(10), 0)));
        LockValue value = new LockValue(held, 1, "left");
        fence(acquire(node, request("held", 10).extending(held, value)));
        assertThat(acquire(node, request("held", 11))).isInstanceOf(AcquireAnswer.Queued.class);
        resend(() -> node.release(new ReleaseRequest("sealed", owner(10), 0, Seal.now(owner(10), LONG_MILLIS))));

        for (String name : TrialCluster.FOUNDERS) {
            cluster.stop(name);
            cluster.loseDisk(name);
            cluster.leader();
            for (ClusterConfig.Start start : ClusterConfig.Start.values()) {
                assertThatThrownBy(() -> cluster.start(name, start))
                        .as(name + " with " + start)
                        .isInstanceOf(HoldfastException.class)
                        .hasMessageContaining("has lost its disk, remove it from the cluster, and add it again");
                assertThatThrownBy(() -> cluster.start(name, start))
                        .as(name + " once more with " + start)
                        .hasMessageContaining("has lost its disk, remove it from the cluster, and add it again");
                cluster.loseDisk(name);
            }
            assertThat(member(status(), name)).satisfies(member -> {
                assertThat(member.health()).isEqualTo(Health.OTHER_DATA);
                assertThat(member.detail())
                        .startsWith("refused when it started: ")
                        .contains("add it again");
            });
            change(leader -> leader.remove(name));
            cluster.start(name, ClusterConfig.Start.JOIN);
            change(leader -> leader.add(name, cluster.address(name)));
            cluster.moveClients();
        }

        assertThat(status().members()).extracting(Member::name).containsExactly("a", "b", "c");
        await().atMost(PATIENCE)
                .until(() -> status().members().stream().allMatch(member -> member.health() == Health.WELL));
        assertThat(fence(acquire(node, request("held", 10).extending(held, null))))
                .isEqualTo(held);
        AcquireAnswer.Queued queued = (AcquireAnswer.Queued) acquire(node, request("held", 12));
        assertThat(queued.place()).isEqualTo(2);
        ResourceState state = (ResourceState) resend(() -> node.inspect("held"));
        assertThat(state.value()).isEqualTo(value);
        assertThat(fence(acquire(node, request("released", 12)))).isGreaterThan(released);
        assertThat(acquire(node, request("sealed", 12))).isInstanceOf(AcquireAnswer.Sealed.class);
        node.close();
    }

    /** One server that runs is enough to recognize another one that has lost its disk. */
    @Test
    void oneServerAloneRefusesAServerThatLostItsDisk() {
        cluster.leader();
        cluster.stop("a");
        cluster.stop("c");
        cluster.loseDisk("c");

        assertThatThrownBy(() -> cluster.start("c", ClusterConfig.Start.CREATE))
                .isInstanceOf(HoldfastException.class)
                .hasMessage("server b knows server c with other data. If server c has lost its disk, remove it from"
                        + " the cluster, and add it again. If the cluster was never in use, empty the data folders of"
                        + " all servers.");
    }

    /** If the others do not run, a server without its disk starts, but has no vote. It stops when it hears from another one. */
    @Test
    void aServerThatLostItsDiskNeverVotes() {
        cluster.leader();
        for (String name : TrialCluster.FOUNDERS) {
            cluster.stop(name);
        }
        cluster.loseDisk("c");
        ClusterServer lost = cluster.start("c", ClusterConfig.Start.CREATE);
        LockNode node = lost.connect(CLIENT, new SilentListener());
        assertThat(answer(node.acquire(request("x", 10))))
                .isInstanceOfSatisfying(
                        Unavailable.class, no -> assertThat(no.reason()).contains("has not heard from a and b"));
        cluster.start("b", ClusterConfig.Start.RESUME);
        await().atMost(PATIENCE)
                .until(
                        () -> answer(node.acquire(request("x", 10))),
                        no -> no instanceof Unavailable unavailable
                                && unavailable.reason().contains("remove it from the cluster, and add it again"));

        assertThat(answer(cluster.server("b").status()).leader())
                .as("one of three")
                .isEmpty();
        cluster.start("a", ClusterConfig.Start.RESUME);
        assertThat(cluster.leader().name()).isIn("a", "b");
        node.close();
    }

    /** Without a majority, each server that runs says why it takes no part. */
    @Test
    void theStatusSaysWhyAServerTakesNoPart() {
        cluster.leader();
        cluster.stop("b");
        cluster.stop("c");
        await().atMost(PATIENCE)
                .until(
                        () -> member(answer(cluster.server("a").status()), "a"),
                        member -> member.health() == Health.WITHOUT_LEADER
                                && member.detail().equals("it knows no leader"));

        cluster.stop("a");
        cluster.loseDisk("a");
        ClusterServer lost = cluster.start("a", ClusterConfig.Start.CREATE);
        ClusterStatus status = answer(lost.status());
        assertThat(status.members()).extracting(Member::name).containsExactly("a", "b", "c");
        assertThat(status.leader()).isEmpty();
        assertThat(member(status, "a").health()).isEqualTo(Health.STARTING);
        assertThat(member(status, "a").detail())
                .isEqualTo("the cluster is not created yet: server a has not heard from b and c");
    }

    @Test
    void aServerThatJoinsWaitsForTheMarkOfItsCluster() {
        cluster.leader();
        String mark = cluster.leader().clusterId();
        TrialCluster.FOUNDERS.forEach(cluster::stop);
        ClusterServer joining = cluster.start("d", ClusterConfig.Start.JOIN);

        assertThat(joining.clusterId()).isEqualTo("trial");
        assertThat(joining.refusal()).contains("server d has not heard yet which cluster it joins, from a or b or c");

        cluster.restart("b");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(joining.clusterId()).isEqualTo(mark));
        cluster.stop("d");
        assertThat(cluster.start("d", ClusterConfig.Start.RESUME).clusterId())
                .as("persisted")
                .isEqualTo(mark);
    }

    private ClusterConfig config(String name, String server, Map<String, String> peers, ClusterConfig.Start start) {
        return new ClusterConfig(name, server, peers, folder.resolve(server), start, ClusterConfig.Options.defaults());
    }

    /** Only the leader, which adds it, needs its address. */
    @Test
    void aServerThatNamesNoOtherServerJoinsWithoutAMark() {
        cluster.leader();
        ClusterConfig alone = config("trial", "d", Map.of("d", cluster.address("d")), ClusterConfig.Start.JOIN);
        try (ClusterServer joining = ClusterServer.start(alone, timing)) {
            change(leader -> leader.add("d", cluster.address("d")));

            assertThat(joining.clusterId()).isEqualTo("trial");
            await().atMost(PATIENCE).until(() -> joining.leader(0).isPresent());
        }
    }

    /** Clients that use both clusters must see that these are two. */
    @Test
    void twoClustersOfTheSameNameHaveDifferentMarks() {
        Map<String, String> free = TrialCluster.freeAddresses("x", "d");
        ClusterConfig other = config("trial", "x", Map.of("x", free.get("x")), ClusterConfig.Start.CREATE);
        try (ClusterServer alone = ClusterServer.start(other, timing)) {
            assertThat(alone.clusterId()).isNotEqualTo(cluster.leader().clusterId());

            Map<String, String> both = Map.of("d", free.get("d"), "a", cluster.address("a"), "x", free.get("x"));
            ClusterConfig between = config("trial", "d", both, ClusterConfig.Start.JOIN);
            assertThatThrownBy(() -> ClusterServer.start(between, timing))
                    .isInstanceOf(HoldfastException.class)
                    .hasMessageContaining("belongs to another cluster of the name 'trial' than trial#");
        }
    }

    @Test
    void serversOfDifferentClustersDoNotMix() {
        cluster.leader();
        Map<String, String> free = TrialCluster.freeAddresses("x");
        Map<String, String> peers = Map.of("x", free.get("x"), "a", cluster.address("a"));
        ClusterConfig other = config("other", "x", peers, ClusterConfig.Start.CREATE);

        assertThatThrownBy(() -> ClusterServer.start(other, timing))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("belongs to cluster 'trial', not to 'other'");
        assertThat(List.copyOf(cluster.servers())).hasSize(3);
    }
}
