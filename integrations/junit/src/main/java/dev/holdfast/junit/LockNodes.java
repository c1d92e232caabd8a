package dev.holdfast.junit;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The nodes of a test, fresh for each: a JUnit extension.
 *
 * <pre>{@code
 * @RegisterExtension
 * final LockNodes nodes = LockNodes.inMemory(5);
 *
 * @Test
 * void oneShipperAtATime(Holdfast holdfast) throws Exception {
 *     Lease lease = holdfast.lock("orders:42").acquire();
 *     nodes.kill(1);
 *     nodes.pause(2);
 *     nodes.clock().advance(Duration.ofMinutes(5));
 *     assertThatLock(nodes.connect(), "orders:42").isHeldWithToken(lease.fencingToken());
 * }
 * }</pre>
 *
 * <p>Parameters of type {@link Holdfast} (each a client of its own), {@code LockNodes} and {@link TestClock} are filled in. All clients are closed after
 * the test, then the nodes. One test at a time; its threads may use it at the same time.
 */
public final class LockNodes implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final int MOST_NODES = 99;

    private final int count;
    private final boolean real;
    private final Deque<Holdfast> clients = new ArrayDeque<>();
    private @Nullable TestClock clock;
    private @Nullable NodeSet nodes;

    private LockNodes(int count, boolean real) {
        if (count < 1 || count > MOST_NODES) {
            throw new IllegalArgumentException("count is " + count + ", but must be from 1 to " + MOST_NODES);
        }
        this.count = count;
        this.real = real;
    }

    /**
     * Nodes in memory, on a {@link #clock} of their own: a test takes milliseconds.
     *
     * @param count 1 to 99
     */
    public static LockNodes inMemory(int count) {
        return new LockNodes(count, false);
    }

    /**
     * Real Redis servers, started for each test: {@code HOLDFAST_REDIS_SERVER}, the path's {@code valkey-server} or {@code redis-server}, or the one that
     * comes along. The module {@code holdfast-redis} must be on the class path.
     *
     * @param count 1 to 99
     */
    public static LockNodes redis(int count) {
        return new LockNodes(count, true);
    }

    // ---- clients

    /** Returns a client of all the nodes; closed after the test, unless it was before. */
    public Holdfast connect() {
        return connect(builder -> builder);
    }

    /**
     * Returns a client with settings of its own.
     *
     * @param settings is given a builder that has the nodes and the clock
     */
    public Holdfast connect(UnaryOperator<HoldfastBuilder> settings) {
        HoldfastBuilder builder = Holdfast.builder();
        inUse().addTo(builder);
        if (clock != null) {
            builder.timing(clock.timing());
        }
        Holdfast client = settings.apply(builder).connect();
        synchronized (clients) {
            clients.push(client);
        }
        return client;
    }

    // ---- faults

    /** The node answers nothing from now on, and its connections stay; what it is asked it may still carry out when it goes on. */
    public void pause(int node) {
        inUse().pause(index(node));
    }

    /** A node that is paused goes on. */
    public void resume(int node) {
        inUse().resume(index(node));
    }

    /** The node ends, and its connections break. */
    public void kill(int node) {
        inUse().kill(index(node));
    }

    /** Restarts the node without its state. Clients quarantine it for the ttl of each request, unless they set {@code restartQuarantine}. */
    public void restart(int node) {
        inUse().restart(index(node));
    }

    /**
     * Returns the clock of nodes in memory and their clients.
     *
     * @throws IllegalStateException if the nodes are real: they have the machine's
     */
    public TestClock clock() {
        inUse();
        if (clock == null) {
            throw new IllegalStateException(
                    "real servers have the machine's clock; use LockNodes.inMemory to move time");
        }
        return clock;
    }

    private int index(int node) {
        if (node < 1 || node > count) {
            throw new IllegalArgumentException("node is " + node + ", but must be from 1 to " + count);
        }
        return node - 1;
    }

    private NodeSet inUse() {
        return Objects.requireNonNull(
                nodes, "nodes are there while a test runs; is this a field with @RegisterExtension?");
    }

    // ---- JUnit

    @Override
    public void beforeEach(ExtensionContext context) {
        if (real) {
            nodes = new RedisNodes(count);
        } else {
            TestClock fresh = new TestClock();
            clock = fresh;
            nodes = new MemoryNodes(count, fresh);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        synchronized (clients) {
            clients.forEach(Holdfast::close);
            clients.clear();
        }
        inUse().close();
        nodes = null;
        if (clock != null) {
            clock.close();
            clock = null;
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Holdfast.class || type == LockNodes.class || type == TestClock.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == LockNodes.class) {
            return this;
        }
        return type == TestClock.class ? clock() : connect();
    }
}
