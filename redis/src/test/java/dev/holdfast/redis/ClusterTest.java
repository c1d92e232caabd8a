package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.LockMode;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three masters that are one node. */
class ClusterTest {

    private static final String[] SLOTS = {"0 5460", "5461 10922", "10923 16383"};

    private final List<TestServer> members = new ArrayList<>();
    private NodeUser user;

    @BeforeEach
    void startCluster() throws Exception {
        for (String slots : SLOTS) {
            TestServer member = TestServer.start("cluster-enabled yes", "cluster-port " + TestServer.freePort());
            members.add(member);
            String[] ends = slots.split(" ");
            member.process.send("CLUSTER", "ADDSLOTSRANGE", ends[0], ends[1]);
        }
        for (TestServer member : members) {
            String bus = String.valueOf(((List<?>) member.process.send("CONFIG", "GET", "cluster-port")).get(1));
            members.get(0).process.send("CLUSTER", "MEET", "127.0.0.1", "" + member.port, bus);
        }
        await().until(() -> members.stream().allMatch(member -> {
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
        assertThat(user.status().serverId()).startsWith("cluster-");
        assertThat(user.status().warnings()).anyMatch(warning -> warning.contains("failover"));
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
}
