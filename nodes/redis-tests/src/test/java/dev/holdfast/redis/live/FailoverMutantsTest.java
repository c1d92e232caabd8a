package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.redis.process.RedisCluster;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.redis.process.SentinelSet;
import dev.holdfast.testkit.mutant.MutantLoader;
import dev.holdfast.testkit.mutant.SourceEdit;
import dev.holdfast.testkit.redis.Disconnect;
import dev.holdfast.testkit.redis.TcpProxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * One failover of real sentinels, and two of a real Redis Cluster, show each mistake in how a client judges a failover. All clients go through the same
 * failover: those of the code as it is, in which nothing may be found, and those of the mutants.
 */
@Tag("slow")
class FailoverMutantsTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** Shorter than the ttl of the clients: within this time after its promotion a server must not vote. */
    private static final long QUARANTINE_MILLIS = 10_000;

    private static final SourceEdit NO_CLOCK =
            new SourceEdit("nodes/redis", "redis/RedisNode", "context.nodes() == 1;", "false;");
    private static final SourceEdit NO_TIME_OF_SENTINELS = new SourceEdit(
            "nodes/redis",
            "redis/connection/Handshake",
            "address.kind() == RedisAddress.Kind.SENTINEL ? timeMillis : 0;",
            "0;");
    private static final SourceEdit NO_PROMOTION = new SourceEdit(
            "nodes/redis",
            "redis/connection/ServerInfo",
            "return number(\"second_repl_offset\", -1, 1) >= 0;",
            "return false;");
    private static final SourceEdit NO_KEY_OF_ANOTHER_RUN = new SourceEdit(
            "core", "node/ServerMemory", "if (due || any.isPresent() || promoted) {", "if (due || promoted) {");
    private static final SourceEdit ONE_RUN_OF_A_CLUSTER = new SourceEdit(
            "nodes/redis",
            "redis/connection/Handshake",
            "new ServerFacts.Run(null, timeMillis, timeMillis, timeMillis, false);",
            "new ServerFacts.Run(clusterId, timeMillis, 0, timeMillis, false);");

    /** The name of the code as it is, in which nothing may be found. */
    private static final String ORIGINAL = "no mistake";

    @TempDir
    private Path folder;

    private final List<AutoCloseable> toClose = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = toClose.size() - 1; i >= 0; i--) {
            toClose.get(i).close();
        }
    }

    private <T extends AutoCloseable> T closing(T made) {
        toClose.add(made);
        return made;
    }

    private MutantLoader code(String name, List<SourceEdit> edits) throws Exception {
        return new MutantLoader(name, edits, Files.createTempDirectory(folder, "mutant"));
    }

    private MutantClient client(MutantLoader code, long quarantineMillis, Object... nodes) throws Exception {
        return closing(new MutantClient(
                code, quarantineMillis, Stream.of(nodes).map(Object::toString).toArray(String[]::new)));
    }

    private static void cut(TcpProxy proxy) {
        proxy.refuse();
        proxy.cut(Disconnect.RST);
    }

    /**
     * Waits until a server is in quarantine for its history, and not for its age. Its remembered fences must also be larger than those that follow from its
     * start.
     */
    private static void awaitAge(RedisProcess... servers) {
        await().atMost(SOON)
                .until(() -> Stream.of(servers)
                        .allMatch(server -> server.info().uptime().toMillis() >= QUARANTINE_MILLIS + 2_000));
    }

    /** A client in a failover. */
    private interface Client {

        /** Acquires once more, and returns the violation; an empty text if there is none. */
        String afterTheFailover() throws Exception;
    }

    private static void note(Map<String, ? extends Client> clients, Map<String, String> found) throws Exception {
        for (Map.Entry<String, ? extends Client> client : clients.entrySet()) {
            found.merge(client.getKey(), client.getValue().afterTheFailover(), String::concat);
        }
    }

    // ---- tokens of an only node

    /** Sentinels or a cluster, as the only node of a client, which takes turns before the failover and after it. */
    private final class OnlyNode implements Client {

        private final MutantClient client;
        private final String lock;
        private long before;

        OnlyNode(MutantLoader code, String node, String lock) throws Exception {
            this.client = client(code, 0, node);
            this.lock = lock;
            client.turn(lock);
        }

        void turnsThatAreLost() {
            before = client.turns(lock);
        }

        @Override
        public String afterTheFailover() {
            long token = client.turn(lock);
            return token > before ? "" : token + " after " + before;
        }
    }

    // ---- tokens of sentinels in a quorum

    /** Sentinels and two servers. A majority with the sentinels has turns that are lost; then the sentinels and the other server are a majority. */
    private final class InAQuorum implements Client {

        private final MutantClient client;
        private final String lock;
        private long before;

        InAQuorum(MutantLoader code, String sentinels, TcpProxy first, TcpProxy second, String lock) throws Exception {
            this.client = client(code, 0, sentinels, first.uri(), second.uri());
            this.lock = lock;
            await().atMost(SOON).until(() -> client.nodes().equals("UP UP UP"));
            client.turn(lock);
        }

        void turnsThatAreLost() {
            await().atMost(SOON).until(() -> client.nodes().equals("UP UP DOWN"));
            before = client.turns(lock);
        }

        @Override
        public String afterTheFailover() {
            await().atMost(SOON).until(() -> client.nodes().equals("UP DOWN UP"));
            long token = client.turn(lock);
            return token > before ? "" : token + " after " + before;
        }
    }

    // ---- two holders

    /**
     * A failover and two servers. The holder has the votes of the first two nodes. The promoted server does not know its vote, and the third server has
     * not voted: together they are a majority, for a client that connects after the failover.
     */
    private final class Holder implements Client {

        private final MutantLoader code;
        private final Object[] nodes;
        private final String lock;
        private final MutantClient holder;

        Holder(MutantLoader code, String lock, Object nowhere, Object... nodes) throws Exception {
            this.code = code;
            this.lock = lock;
            this.nodes = nodes;
            this.holder = client(code, 0, nodes[0], nodes[1], nowhere);
        }

        void holdsWhatIsLost() {
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(holder.acquire(lock)).isEmpty());
        }

        @Override
        public String afterTheFailover() throws Exception {
            MutantClient other = client(code, QUARANTINE_MILLIS, nodes);
            await().atMost(SOON).until(() -> !other.nodes().contains("DOWN"));
            String refusal = other.acquire(lock);
            assertThat(holder.holds()).as("the test was too slow").isTrue();
            return refusal.isEmpty() ? "two holders" : "";
        }
    }

    // ---- the failovers

    @Test
    void d18_aClientThatMisjudgesAFailoverOfSentinelsIsFound(TestReporter reporter) throws Exception {
        MutantLoader original = code(ORIGINAL, List.of());
        MutantLoader noFences = code("fences start from the run", List.of(NO_CLOCK, NO_TIME_OF_SENTINELS));
        MutantLoader noTime = code("fences start from the run", List.of(NO_TIME_OF_SENTINELS));
        MutantLoader noPromotion = code("a promotion is not seen", List.of(NO_PROMOTION));
        MutantLoader noEvidence =
                code("neither a promotion nor the epoch key counts", List.of(NO_PROMOTION, NO_KEY_OF_ANOTHER_RUN));
        SentinelSet sentinels = closing(SentinelSet.start());
        RedisProcesses others = closing(RedisProcesses.start(2));
        TcpProxy first = closing(TcpProxy.to(others.node(0)));
        TcpProxy second = closing(TcpProxy.to(others.node(1)));
        TcpProxy nowhere = closing(TcpProxy.to(others.node(1)));
        nowhere.refuse();
        awaitAge(sentinels.primary(), sentinels.replica(), others.node(0), others.node(1));

        Map<String, OnlyNode> alone = new LinkedHashMap<>();
        alone.put(ORIGINAL, new OnlyNode(original, sentinels.uri(), "alone"));
        alone.put(
                "the fences of sentinels start from the run", new OnlyNode(noFences, sentinels.uri(), "alone-mutant"));
        Map<String, InAQuorum> quorum = new LinkedHashMap<>();
        quorum.put(ORIGINAL, new InAQuorum(original, sentinels.uri(), first, second, "quorum"));
        quorum.put(
                "the fences of sentinels in a quorum start from the run",
                new InAQuorum(noTime, sentinels.uri(), first, second, "quorum-mutant"));

        sentinels.fallBehind();
        cut(second);
        Map<String, Holder> holders = new LinkedHashMap<>(); // each has a database, and so an epoch key, of its own
        holders.put(ORIGINAL, inDatabase(1, original, sentinels, others, nowhere));
        holders.put("a promotion is not seen", inDatabase(2, noPromotion, sentinels, others, nowhere));
        holders.put(
                "neither a promotion nor the epoch key counts", inDatabase(0, noEvidence, sentinels, others, nowhere));
        alone.values().forEach(OnlyNode::turnsThatAreLost);
        quorum.values().forEach(InAQuorum::turnsThatAreLost);
        holders.values().forEach(Holder::holdsWhatIsLost);
        sentinels.failOver();
        awaitAge(sentinels.primary());
        cut(first);
        second.pass();

        Map<String, String> found = new LinkedHashMap<>();
        note(alone, found);
        note(quorum, found);
        note(holders, found);
        reporter.publishEntry(found.toString());
        check(found);
    }

    private Holder inDatabase(
            int database, MutantLoader code, SentinelSet sentinels, RedisProcesses others, TcpProxy nowhere)
            throws Exception {
        String path = "/" + database;
        return new Holder(
                code,
                "held-" + database,
                nowhere.uri() + path,
                sentinels.uri().replace("?", path + "?"),
                others.node(0).uri() + path,
                others.node(1).uri() + path);
    }

    @Test
    void d18_aClientThatMisjudgesAFailoverOfAClusterIsFound(TestReporter reporter) throws Exception {
        MutantLoader original = code(ORIGINAL, List.of());
        MutantLoader noClock = code("fences start from the connection", List.of(NO_CLOCK));
        MutantLoader oneRun = code("a cluster has one run", List.of(ONE_RUN_OF_A_CLUSTER));
        RedisCluster cluster = closing(RedisCluster.start());
        RedisProcesses others = closing(RedisProcesses.start(2, number -> RedisOptions.defaults()));
        TcpProxy nowhere = closing(TcpProxy.to(others.node(1)));
        nowhere.refuse();

        List<String> takenOver = locks(cluster, 0);
        List<String> failedOver = locks(cluster, 1);
        Map<String, OnlyNode> alone = new LinkedHashMap<>();
        alone.put(ORIGINAL, new OnlyNode(original, cluster.uri(), takenOver.get(0)));
        alone.put(
                "the fences of a cluster start from the connection",
                new OnlyNode(noClock, cluster.uri(), takenOver.get(1)));
        awaitAge(others.node(0), others.node(1));

        cluster.fallBehind(0);
        alone.values().forEach(OnlyNode::turnsThatAreLost);
        cluster.takeOver(0);
        Map<String, String> found = new LinkedHashMap<>();
        note(alone, found);
        cluster.replace(0);

        cluster.fallBehind(1);
        Object[] nodes = {cluster.uri(), others.node(0).uri(), others.node(1).uri()};
        Map<String, Holder> holders = new LinkedHashMap<>();
        holders.put(ORIGINAL, new Holder(original, failedOver.get(0), nowhere.uri(), nodes));
        holders.put(
                "a new connection to a cluster continues its run",
                new Holder(oneRun, failedOver.get(1), nowhere.uri(), nodes));
        holders.values().forEach(Holder::holdsWhatIsLost);
        cluster.failOver(1);
        note(holders, found);
        reporter.publishEntry(found.toString());
        check(found);
    }

    /** Returns names of locks that are at this third of a cluster. */
    private static List<String> locks(RedisCluster cluster, int shard) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "cluster-" + i)
                .filter(lock -> shard(cluster, "lock:" + lock) == shard)
                .toList();
    }

    private static int shard(RedisCluster cluster, String key) {
        Object slot = cluster.master(0).send("CLUSTER", "KEYSLOT", key);
        return Integer.parseInt(String.valueOf(slot)) * RedisCluster.SHARDS / 16_384;
    }

    private static void check(Map<String, String> found) {
        assertThat(found.remove(ORIGINAL)).as(ORIGINAL).isEmpty();
        assertThat(found)
                .as("each mutant must be found")
                .allSatisfy((mutant, finding) -> assertThat(finding).isNotEmpty());
    }
}
