package dev.holdfast.junit;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A JUnit extension that gives each test, or each class of tests, its own lock nodes.
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
 * <p>In a field that is not static, as here, each test has fresh nodes. In a static field, all tests of the class share the nodes. The same applies to any
 * field of a class with {@code @TestInstance(PER_CLASS)}. Faults then last beyond the test that caused them, so a test should end its own.
 *
 * <p>The extension fills in parameters of type {@link Holdfast} (each a separate client), {@code LockNodes} and {@link TestClock}. After each test, it
 * closes the test's clients, and then the nodes unless the class shares them. It closes clients made outside of a test, as in {@code @BeforeAll}, after
 * the class. It leaves parameters with Spring's {@code @Autowired} or {@code @Qualifier} to Spring. An instance serves one test at a time; the threads of that test may use it concurrently.
 */
public final class LockNodes
        implements BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                ParameterResolver,
                Supplier<List<URI>> {

    private static final int MOST_NODES = 99;

    /** The annotations of parameters of any type that Spring's test support resolves. */
    private static final Set<String> OF_SPRING = Set.of(
            "org.springframework.beans.factory.annotation.Autowired",
            "org.springframework.beans.factory.annotation.Qualifier",
            "org.springframework.beans.factory.annotation.Value");

    private final int count;
    private final boolean real;
    private final Deque<Holdfast> clients = new ArrayDeque<>(); // of the test
    private final Deque<Holdfast> classClients = new ArrayDeque<>();
    private @Nullable TestClock clock;
    private @Nullable NodeSet nodes;
    private int classes; // that share the nodes: a class and the nested ones around the present test
    private @Nullable ExtensionContext test; // the one that runs now; guarded by clients

    private LockNodes(int count, boolean real) {
        if (count < 1 || count > MOST_NODES) {
            throw new IllegalArgumentException("count is " + count + ", but must be from 1 to " + MOST_NODES);
        }
        this.count = count;
        this.real = real;
    }

    /**
     * Creates nodes in memory that run on their own {@link #clock}, so a test takes milliseconds.
     *
     * @param count the number of nodes, from 1 to 99
     */
    public static LockNodes inMemory(int count) {
        return new LockNodes(count, false);
    }

    /**
     * Creates nodes that are real Redis servers. The server program is {@code HOLDFAST_REDIS_SERVER}, or else {@code
     * valkey-server} or {@code redis-server} from the path, or else the bundled one. The module {@code holdfast-redis} must be on the class path.
     *
     * @param count the number of nodes, from 1 to 99
     */
    public static LockNodes redis(int count) {
        return new LockNodes(count, true);
    }

    // ---- clients

    /** Returns a new client of all nodes. The extension closes it after the test, or after the class if no test is running. */
    public Holdfast connect() {
        return connect(builder -> builder);
    }

    /**
     * Returns a new client with the given settings.
     *
     * @param settings receives a builder that already has the nodes and the clock
     */
    public Holdfast connect(UnaryOperator<HoldfastBuilder> settings) {
        HoldfastBuilder builder = Holdfast.builder();
        inUse().addTo(builder);
        if (clock != null) {
            builder.timing(clock.timing());
        }
        Holdfast client = settings.apply(builder).connect();
        synchronized (clients) {
            (test != null ? clients : classClients).push(client);
        }
        return client;
    }

    /**
     * Returns the addresses of real servers, for a client that the extension does not create.
     *
     * @throws IllegalStateException if the nodes are in memory, and have no address
     */
    public List<URI> uris() {
        return inUse().uris();
    }

    /** Returns the {@linkplain #uris() addresses} of real servers, for {@code @ApplicationNodes} of a Spring application. */
    @Override
    public List<URI> get() {
        return uris();
    }

    // ---- faults

    /** Pauses a node: it stops answering, but its connections stay open. It may still carry out the requests it has received when it resumes. */
    public void pause(int node) {
        inUse().pause(index(node));
    }

    /** Resumes a paused node. */
    public void resume(int node) {
        inUse().resume(index(node));
    }

    /** Kills a node and breaks its connections. */
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
     * @throws IllegalStateException if the nodes are real servers, which use the machine's clock
     */
    public TestClock clock() {
        inUse();
        if (clock == null) {
            throw new IllegalStateException(
                    "real servers use the machine's clock; use LockNodes.inMemory to advance time");
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
                nodes, "the nodes exist only while their test or class runs; does this field have @RegisterExtension?");
    }

    // ---- JUnit

    /** Starts nodes that all tests of the class share. JUnit calls this for a static field, and for any field of a class with one instance. */
    @Override
    public void beforeAll(ExtensionContext context) {
        if (classes == 0) {
            start();
        }
        classes++;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        synchronized (clients) {
            if (test != null) {
                throw new IllegalStateException("test '" + context.getDisplayName() + "' began while '"
                        + test.getDisplayName() + "' runs, but LockNodes that tests share serve one test at a time;"
                        + " put @Execution(ExecutionMode.SAME_THREAD) on the class, or let the field not be static");
            }
            test = context;
        }
        if (classes == 0) {
            start();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        synchronized (clients) {
            if (test == null || !test.getUniqueId().equals(context.getUniqueId())) { // it was refused
                return;
            }
            test = null;
        }
        close(clients);
        if (classes == 0) {
            stop();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        classes--;
        if (classes == 0) {
            stop();
        }
    }

    private void start() {
        if (real) {
            nodes = new RedisNodes(count);
        } else {
            TestClock fresh = new TestClock();
            clock = fresh;
            nodes = new MemoryNodes(count, fresh);
        }
    }

    private void close(Deque<Holdfast> some) {
        synchronized (clients) {
            some.forEach(Holdfast::close);
            some.clear();
        }
    }

    private void stop() {
        close(classClients);
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
        boolean isOfSpring = Arrays.stream(parameter.getParameter().getAnnotations())
                .anyMatch(mark -> OF_SPRING.contains(mark.annotationType().getName()));
        return !isOfSpring && (type == Holdfast.class || type == LockNodes.class || type == TestClock.class);
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
