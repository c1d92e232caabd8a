package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.Unavailable;
import dev.holdfast.redis.process.FreePort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three masters that are one node. */
@Tag("slow")
class ClusterTest {

    private static final String[] SLOTS = {"0 5460", "5461 10922", "10923 16383"};

    private final List<TestServer> members = new ArrayList<>();
    private NodeUser user;

    @BeforeEach
    void startCluster() throws Exception {
        for (String slots : SLOTS) {
            TestServer member = TestServer.start("cluster-enabled yes", "cluster-port " + FreePort.pick());
            members.add(member);
            String[] ends = slots.split(" ");
            member.process.send("CLUSTER", "ADDSLOTSRANGE", ends[0], ends[1]);
        }
        for (TestServer member : members) {
            String bus = String.valueOf(((List<?>) member.process.send("CONFIG", "GET", "cluster-port")).get(1));
            members.get(0).process.send("CLUSTER", "MEET", "127.0.0.1", "" + member.port, bus);
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> members.stream().allMatch(member -> {
                    String info = String.valueOf(member.process.send("CLUSTER", "INFO"));
                    return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3");
                }));
        user = NodeUser.open("redis-cluster://127.0.0.1:" + members.get(1).port + ",127.0.0.1:" + members.get(2).port)
                .connected();
    }

    @AfterEach
    void stopCluster() {
        user.close();
        members.forEach(TestServer::close);
    }

    @Test
    void locksLieAtTheMastersOfTheirSlotsAndPushesArrive() {
        List<String> names = IntStream.range(10, 40).mapToObj(i -> "lock:" + i).toList();
        for (String name : names) {
            OwnerId holder = user.newOwner();
            OwnerId waiter = user.newOwner();
            assertThat(user.acquire(name, holder)).isInstanceOf(Granted.class);
            assertThat(user.acquire(name, waiter, LockMode.EX, true)).isInstanceOf(Queued.class);
            assertThat(user.release(name, holder)).isEqualTo(new ReleaseAnswer.Released());
            user.awaitTold("granted " + name + " " + waiter, 1);
        }
        assertThat(members).allMatch(member -> member.process.dbsize() > 0);
        assertThat(NodeUser.answer(user.node.list("lock:", 100))).isEqualTo(new ListAnswer.Names(names, true));
        assertThat(user.status().server().id()).startsWith("cluster-");
        assertThat(user.status().server().warnings()).anyMatch(warning -> warning.contains("failover"));
    }

    /** Each with the master of its slot. */
    @Test
    void manyAreExtendedAtOnce() {
        List<String> names = IntStream.range(10, 90).mapToObj(i -> "lock:" + i).toList();
        List<AcquireRequest> extensions = names.stream()
                .map(name -> {
                    OwnerId owner = user.newOwner();
                    long fence = ((Granted) user.acquire(name, owner)).fence();
                    return AcquireRequest.forVote(name, owner, LockMode.EX, 90_000, 10_000, 1)
                            .extending(fence, null);
                })
                .toList();

        List<CompletionStage<AcquireAnswer>> asked =
                extensions.stream().map(user.node::acquire).toList();

        assertThat(asked).allMatch(answer -> NodeUser.answer(answer) instanceof Granted);
        assertThat(names)
                .allMatch(name ->
                        user.inspect(name).holders().get(0).remainingMillis().orElseThrow() > NodeUser.TTL_MILLIS);
    }

    /** One of them, taken for a server of its own, refuses a script with the keys of several locks. */
    @Test
    void aMemberAloneExtendsOneAfterTheOther() {
        try (NodeUser ofOne = NodeUser.open(members.get(0).nodeUri()).connected()) {
            List<AcquireRequest> extensions = IntStream.range(0, 1_000)
                    .mapToObj(i -> "lock:" + i)
                    .map(name -> {
                        OwnerId owner = ofOne.newOwner();
                        AcquireAnswer answer = ofOne.acquire(name, owner);
                        long fence =
                                answer instanceof Granted granted ? granted.fence() : 0; // of another member's slot
                        return AcquireRequest.forVote(name, owner, LockMode.EX, 90_000, 10_000, 1)
                                .extending(fence, null);
                    })
                    .filter(extension -> extension.floor() > 0)
                    .toList();
            assertThat(extensions).hasSizeGreaterThan(100);

            List<CompletionStage<AcquireAnswer>> asked =
                    extensions.stream().map(ofOne.node::acquire).toList();

            assertThat(asked).allMatch(answer -> NodeUser.answer(answer) instanceof Granted);
        }
    }

    @Test
    void aMemberThatIsGoneIsAnAnswerAndOneThatComesBackIsUsed() {
        assertThat(user.acquire("lock:a", user.newOwner())).isInstanceOf(Granted.class);
        TestServer owning = members.stream()
                .filter(member -> member.process.dbsize() > 0)
                .findFirst()
                .orElseThrow();
        owning.process.kill();
        await().until(() -> user.acquire("lock:a", user.newOwner()) instanceof Unavailable);
        owning.process.restart();
        await().atMost(NodeUser.SOON.multipliedBy(3))
                .until(() -> user.acquire("lock:a", user.newOwner()) instanceof Granted);
    }

    /** As after a failover: the cluster lists the dead member until an operator removes it. */
    @Test
    void aClientThatConnectsWhileAMemberIsGoneUsesTheOthers() {
        TestServer gone = members.get(0);
        gone.process.kill();
        try (NodeUser late =
                NodeUser.open("redis-cluster://127.0.0.1:" + members.get(1).port + ",127.0.0.1:" + gone.port)) {
            await().atMost(NodeUser.SOON.multipliedBy(3))
                    .until(() -> IntStream.range(0, 10)
                            .anyMatch(i -> late.acquire("lock:" + i, late.newOwner()) instanceof Granted));
        }
    }
}
