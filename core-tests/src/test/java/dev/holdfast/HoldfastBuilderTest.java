package dev.holdfast;

import static dev.holdfast.Spans.hours;
import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.lock.NodeRefusedException;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import dev.holdfast.testkit.ManualTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Settings of a client: the builder rejects each wrong one with its value, range and reason, and also nodes that must not be used. */
class HoldfastBuilderTest {

    private static HoldfastBuilder memory() {
        return Holdfast.builder().nodes("memory:");
    }

    private static void refused(Runnable setting, String message) {
        assertThatIllegalArgumentException().isThrownBy(setting::run).withMessageContaining(message);
    }

    @Test
    void severalUnnamedMemoryNodesAreNodesOfTheirOwn() throws Exception {
        try (Holdfast holdfast = Holdfast.connect("memory:", "memory:", "memory:");
                Lease lease = holdfast.lock("x").acquire()) {
            assertThat(holdfast.admin().nodeNames()).doesNotHaveDuplicates();
            assertThat(holdfast.admin().status("x").holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.votes()).isEqualTo(3));
            assertThat(lease.fencingToken()).isPositive();
        }
    }

    @Test
    void namedMemoryNodesAreSharedByAllClientsOfTheProcess() throws Exception {
        try (Holdfast one = Holdfast.connect("memory:shared-in-a-test");
                Holdfast other = Holdfast.connect("memory:shared-in-a-test");
                Lease lease = one.lock("x").acquire()) {
            assertThat(other.lock("x").tryAcquire().isHeld()).isFalse();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void noNodesAreTooFew() {
        refused(() -> Holdfast.builder().build(), "no nodes are given, but a lock needs at least one");
        refused(() -> Holdfast.connect(), "no nodes are given");
    }

    @Test
    void urisThatNobodyKnowsAreRefusedWithoutBeingRepeated() {
        refused(() -> Holdfast.builder().nodes("http://host:80"), "scheme 'http'");
        refused(() -> Holdfast.builder().nodes("localhost"), "has no scheme");
        refused(() -> Holdfast.builder().nodes(""), "has no scheme");
        refused(
                () -> Holdfast.builder().nodes("htp://a"),
                "has the scheme 'htp', but must begin with one of [memory] and a colon");
        refused(
                () -> Holdfast.builder().nodes("holdfast://a"),
                "has the scheme 'holdfast', but must begin with one of [memory]; add the module of such nodes: holdfast-redis");
        assertThatThrownBy(() -> Holdfast.builder().nodes("se cret@host:1"))
                .hasMessageNotContaining("cret")
                .hasMessageContaining("memory");
        refused(() -> Holdfast.builder().nodes("memory:a b").build(), "'memory:a b' is not a memory node");
    }

    @Test
    void aSchemeMayBeWrittenInCapitals() {
        Holdfast.connect("MEMORY:").close();
    }

    @Test
    void theSameNodeTwiceIsRefused() {
        refused(
                () -> Holdfast.builder()
                        .nodes("memory:one", "memory:two", "memory:one")
                        .build(),
                "is given twice, but one server has one vote");
    }

    @Test
    void anEvenNumberOfNodesIsWarnedOf() {
        try (LogRecorder log = LogRecorder.of(HoldfastBuilder.class)) {
            Holdfast.connect("memory:", "memory:").close();

            assertThat(log.messages(Level.WARNING)).singleElement().asString().contains("2 nodes are given");
        }
    }

    @Test
    void durationsHaveTheirRanges() {
        List<Duration> hostile = List.of(
                Duration.ZERO,
                millis(-1),
                Duration.ofNanos(1),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MIN_VALUE),
                millis(1L << 62));
        for (Duration duration : hostile) {
            refused(() -> memory().ttl(duration), "ttl is ");
            refused(() -> memory().lockOptions(options -> options.waiterTtl(duration)), "waiterTtl is ");
            if (!duration.equals(Duration.ofSeconds(Long.MAX_VALUE)) && duration.compareTo(seconds(1)) < 0) {
                refused(() -> memory().lockOptions(options -> options.maxHold(duration)), "maxHold is ");
            }
            refused(() -> memory().fenceRetention(duration), "fenceRetention is ");
            refused(() -> NodeOptions.defaults().timeout(duration), "timeout is ");
            refused(() -> NodeOptions.defaults().connectTimeout(duration), "connectTimeout is ");
        }
        refused(() -> memory().ttl(millis(49)), "from 50 ms to 24 h");
        refused(() -> memory().ttl(hours(24).plusMillis(1)), "from 50 ms to 24 h");
        refused(() -> memory().restartQuarantine(millis(-1)), "restartQuarantine is -1 ms");
        refused(() -> memory().restartQuarantine(hours(25)), "restartQuarantine is 25 h");
        memory().lockOptions(options -> options.maxHold(DistributedLock.FOREVER))
                .restartQuarantine(Duration.ZERO)
                .ttl(millis(50))
                .build()
                .close();
    }

    @Test
    void settingsThatContradictEachOtherAreRefused() {
        refused(
                () -> memory().ttl(hours(2)).fenceRetention(hours(1)).build(),
                "ttl is 2 h, but must be at most the fenceRetention of 1 h");
        refused(
                () -> memory().nodeOptions(NodeOptions.defaults().timeout(seconds(20)))
                        .build(),
                "ttl is 30 s, but must be at least twice the node timeout of 20 s");
        try (Holdfast holdfast = memory().nodeOptions(NodeOptions.defaults().timeout(millis(100)))
                .fenceRetention(seconds(60))
                .build()) {
            refused(() -> holdfast.lock("x").ttl(millis(199)), "twice the node timeout of 100 ms");
            refused(() -> holdfast.lock("x").ttl(seconds(61)), "at most the fenceRetention of 60 s");
        }
    }

    @Test
    void clientNamesAndPrefixesAreChecked() {
        refused(() -> memory().clientName(""), "clientName is ''");
        refused(() -> memory().clientName("a b"), "but must have 1 to 100 letters");
        refused(() -> memory().clientName("a~b"), "'a~b'");
        refused(() -> memory().clientName("x".repeat(101)), "clientName is");
        refused(() -> memory().keyPrefix("a\nb"), "U+000A");
        refused(() -> memory().keyPrefix("{"), "braces");
        refused(() -> memory().keyPrefix("x".repeat(2000)), "1024");
    }

    // ---- nodes that turn out to be unusable

    private static Function<NodeContext, LockNode> server(MemoryNode server, String name) {
        return context -> new Named(name, server.connect(context.client(), context.listener()));
    }

    @Test
    void oneServerUnderTwoNamesIsRefusedWhenConnecting() {
        ManualTiming time = new ManualTiming(1);
        MemoryNode one = new MemoryNode("one", dev.holdfast.time.Timing.system("server"), 1_000_000);

        assertThatThrownBy(() -> Holdfast.builder()
                        .node(server(one, "a"))
                        .node(server(one, "b"))
                        .node(server(new MemoryNode("two", time.timing(), 1_000_000), "c"))
                        .nodeOptions(NodeOptions.defaults().connectTimeout(seconds(10)))
                        .connect())
                .isInstanceOf(NodeRefusedException.class)
                .hasMessageStartingWith("b: the same server as a (one)");
    }

    @Test
    void oneServerUnderTwoNamesHasOneVote() throws Exception {
        MemoryNode one = new MemoryNode("one", dev.holdfast.time.Timing.system("server"), 1_000_000);
        try (Holdfast holdfast =
                Holdfast.builder().node(server(one, "a")).node(server(one, "b")).build()) {
            org.awaitility.Awaitility.await()
                    .until(() -> holdfast.admin().nodes().get(1).state() == NodeStatus.State.REFUSED);

            assertThatThrownBy(() -> holdfast.lock("x").acquire(Duration.ZERO))
                    .isInstanceOf(NoQuorumException.class)
                    .hasMessageContaining("b: ERROR the same server as a");
            assertThat(holdfast.admin().nodes().get(1).detail()).contains("same server as a");
        }
    }

    @Test
    void aNodeThatRefusesItselfIsNotAskedUntilItIsAnother() {
        FakeCluster cluster = new FakeCluster(3);
        FakeClient a = cluster.client("a");
        a.node(2).refuse("a replica");
        int before = a.node(2).acquires().size();

        Lease lease = a.acquire("x");

        assertThat(cluster.votes(lease)).isEqualTo(2);
        assertThat(a.node(2).acquires()).hasSize(before);
        assertThatThrownBy(() -> {
                    a.nodes(0).forEach(node -> node.requests().lose());
                    a.acquire("y");
                })
                .isInstanceOf(NoQuorumException.class)
                .hasMessageContaining("ERROR a replica");

        cluster.server(2).stop();
        cluster.server(2).startEmpty(Duration.ZERO);
        cluster.advance(seconds(20));
        assertThat(a.node(2).acquires()).hasSizeGreaterThan(before);
    }

    /** Nodes connect on their own threads while other nodes are still being opened. */
    @Test
    void connectingManyNodesIsSafe() {
        String[] uris = Stream.generate(() -> "memory:").limit(15).toArray(String[]::new);
        try (LogRecorder log = LogRecorder.of("dev.holdfast.time.SystemScheduler")) {
            for (int i = 0; i < 500; i++) {
                Holdfast.connect(uris).close();
            }
            assertThat(log.messages(Level.ALL)).isEmpty();
        }
    }

    @Test
    void theQuarantineFollowsTheRequest() {
        List<NodeContext> contexts = new ArrayList<>();
        ManualTiming time = new ManualTiming(1);
        HoldfastBuilder builder = Holdfast.builder().timing(time.timing());
        for (int server = 0; server < 3; server++) {
            MemoryNode memory = new MemoryNode("server-" + server, time.timing(), 1_000_000);
            builder.node(context -> {
                contexts.add(context);
                return memory.connect(context.client(), context.listener());
            });
        }
        Holdfast holdfast = builder.ttl(seconds(20)).build();
        time.drain();
        LongUnaryOperator quarantine = contexts.get(0).times().quarantineMillis();
        assertThat(contexts.get(0).times().ttlMillis()).isEqualTo(20_000);

        Lease lease = time.await(holdfast.lock("x").ttl(seconds(40)).acquireAsync(Duration.ZERO));
        time.await(lease.extendAsync(hours(1)));

        assertThat(quarantine.applyAsLong(20_000))
                .as("a long lease changes nothing for other requests")
                .isEqualTo(20_000);
        assertThat(quarantine.applyAsLong(50)).isEqualTo(50);
    }

    @Test
    void withOneNodeTheQuarantineIsOffUnlessAskedFor() {
        List<NodeContext> contexts = new ArrayList<>();
        MemoryNode memory = new MemoryNode("server", new ManualTiming(1).timing(), 1_000_000);
        Function<NodeContext, LockNode> opener = context -> {
            contexts.add(context);
            return memory.connect(context.client(), context.listener());
        };

        Holdfast.builder().node(opener).build().close();
        Holdfast.builder().node(opener).restartQuarantine(seconds(7)).build().close();

        assertThat(contexts)
                .extracting(context -> context.times().quarantineMillis().applyAsLong(30_000))
                .containsExactly(0L, 7_000L);
    }
}
