package dev.holdfast;

import dev.holdfast.internal.observe.Observers;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.time.AdjustedTicker;
import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.NodeProvider;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A builder of {@link Holdfast} clients. The builder rejects every wrong setting at once with an {@link IllegalArgumentException}, and corrects no
 * setting silently. It is not thread-safe.
 */
public final class HoldfastBuilder {

    private static final System.Logger LOG = System.getLogger(HoldfastBuilder.class.getName());
    private static final Duration DEFAULT_NO_QUORUM_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SHORTEST_NO_QUORUM_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration DEFAULT_FENCE_RETENTION = Duration.ofHours(24);
    private static final String DEFAULT_KEY_PREFIX = "lock:";
    private static final int LONGEST_CLIENT_NAME = 100;
    private static final int CLIENT_SUFFIX_LENGTH = 12;

    private String keyPrefix = DEFAULT_KEY_PREFIX;
    private NodeOptions nodeOptions = NodeOptions.defaults();
    private LockOptions options = LockOptions.defaults();
    private final List<String> nodes = new ArrayList<>();
    private final List<Function<NodeContext, LockNode>> openers = new ArrayList<>();
    private Duration fenceRetention = DEFAULT_FENCE_RETENTION;
    private Duration noQuorumTimeout = DEFAULT_NO_QUORUM_TIMEOUT;
    private @Nullable Duration restartQuarantine;
    private final List<ClientObserver> observers = new ArrayList<>();
    private @Nullable String clientName;
    private @Nullable Timing timing;

    HoldfastBuilder() {}

    /**
     * Adds nodes, which are independent masters on separate servers. With one node, a lock is the single-instance lock. Otherwise use an odd number:
     * an even number tolerates no more failures than the odd number below it.
     *
     * @param uris such as {@code redis://host:6379}; the scheme names the kind of node
     * @throws IllegalArgumentException if no provider on the class path knows the scheme
     */
    public HoldfastBuilder nodes(String... uris) {
        return nodes(List.of(uris));
    }

    /** Adds nodes, as {@link #nodes(String...)} does. */
    public HoldfastBuilder nodes(List<String> uris) {
        for (String uri : uris) {
            NodeProvider provider = provider(uri);
            nodes.add(uri);
            openers.add(context -> provider.open(uri, context));
        }
        return this;
    }

    /**
     * Adds a node that this opener creates, instead of one with a URI.
     *
     * @param opener opens the node, once for each client that this builder builds
     */
    public HoldfastBuilder node(Function<NodeContext, LockNode> opener) {
        openers.add(Objects.requireNonNull(opener, "opener"));
        return this;
    }

    /**
     * Sets the prefix of all keys at the nodes, {@code lock:} unless set. An empty prefix, or {@code redlock:}, matches the keys of other clients.
     *
     * @param keyPrefix a prefix under the rules for a lock's name, which may be empty; not {@code holdfast:}, the prefix of Holdfast's own keys
     */
    public HoldfastBuilder keyPrefix(String keyPrefix) {
        this.keyPrefix = LockNames.prefix("keyPrefix", keyPrefix);
        return this;
    }

    /**
     * Sets the name under which people see this client, such as {@code billing@host-7}. Unless set, the name consists of user, host and process. The
     * client adds a random part, so two clients may have the same name.
     *
     * @param clientName 1 to 100 letters, digits and {@code @._:-}
     */
    public HoldfastBuilder clientName(String clientName) {
        if (!clientName.matches("[0-9A-Za-z@._:-]{1," + LONGEST_CLIENT_NAME + "}")) {
            throw new IllegalArgumentException("clientName is " + LockNames.quoted(clientName)
                    + ", but must have 1 to 100 letters, digits and @._:-");
        }
        this.clientName = clientName;
        return this;
    }

    /**
     * Sets the default options of locks; {@link LockOptions#defaults()} unless set.
     *
     * @param lockOptions the options; its ttl must be at least twice the node timeout, and at most the {@link #fenceRetention}
     */
    public HoldfastBuilder lockOptions(LockOptions lockOptions) {
        this.options = Objects.requireNonNull(lockOptions, "lockOptions");
        return this;
    }

    /** Changes the default options of locks, as in {@code lockOptions(o -> o.ttl(ttl).linger(linger))}. */
    public HoldfastBuilder lockOptions(UnaryOperator<LockOptions> change) {
        return lockOptions(change.apply(options));
    }

    /** Sets the default {@linkplain LockOptions#ttl(Duration) ttl} of locks: 50 ms to 24 h, 30 s unless set. */
    public HoldfastBuilder ttl(Duration ttl) {
        return lockOptions(options.ttl(ttl));
    }

    /** Sets the options for connecting to nodes: timeouts, credentials, TLS. */
    public HoldfastBuilder nodeOptions(NodeOptions nodeOptions) {
        this.nodeOptions = Objects.requireNonNull(nodeOptions, "nodeOptions");
        return this;
    }

    /**
     * Sets how long an attempt without a limit may go on while no majority of nodes answers. After that time, the attempt ends with a
     * {@link dev.holdfast.lock.NoQuorumException}. An attempt with a limit waits until that limit. A quarantined node does not count as answering.
     * The client logs a warning after 5 s, and again at growing intervals.
     *
     * @param noQuorumTimeout 1 s or more, {@link DistributedLock#FOREVER} for no limit; 30 s unless set
     */
    public HoldfastBuilder noQuorumTimeout(Duration noQuorumTimeout) {
        Durations.requireBetween(
                "noQuorumTimeout", noQuorumTimeout, SHORTEST_NO_QUORUM_TIMEOUT, DistributedLock.FOREVER);
        this.noQuorumTimeout = noQuorumTimeout;
        return this;
    }

    /**
     * Sets how long a node keeps a lock's fence after the last use of the lock. A fence still rises after the node has dropped it, since the node
     * bases a new fence on its clock. A longer retention protects against an operator who sets this clock back.
     *
     * @param fenceRetention 1 s to 365 days, and at least the ttl; 24 h unless set
     */
    public HoldfastBuilder fenceRetention(Duration fenceRetention) {
        Durations.requireBetween("fenceRetention", fenceRetention, Duration.ofSeconds(1), Duration.ofDays(365));
        this.fenceRetention = fenceRetention;
        return this;
    }

    /**
     * Sets how long this client quarantines a node that may have lost state (PROTOCOL §5). Unless set, the quarantine follows each request: it lasts
     * for the request's ttl, or for the longest ttl of that lock that a node reports. A single node then has no quarantine. If clients use different
     * ttls for one lock, set the quarantine to the longest of them.
     *
     * @param restartQuarantine 0 (off) to 24 h
     */
    public HoldfastBuilder restartQuarantine(Duration restartQuarantine) {
        Durations.requireBetween("restartQuarantine", restartQuarantine, Duration.ZERO, DistributedLock.MAX_TTL);
        this.restartQuarantine = restartQuarantine;
        return this;
    }

    /** Adds an observer of the client's work, for example for metrics. The events of Java Flight Recorder need no observer. */
    public HoldfastBuilder observer(ClientObserver observer) {
        observers.add(Objects.requireNonNull(observer, "observer"));
        return this;
    }

    /** Sets the clocks, timers and randomness that replace those of the machine, for tests and simulators. The caller must close them. */
    public HoldfastBuilder timing(Timing timing) {
        this.timing = Objects.requireNonNull(timing, "timing");
        return this;
    }

    /**
     * Builds the client, begins to connect, and returns at once. The client logs unusable nodes (a replica, one server under two names) and sends them no
     * requests.
     *
     * @throws IllegalArgumentException if there are no nodes, a URI is wrong or given twice, or settings contradict each other
     */
    public Holdfast build() {
        HoldfastSettings settings = new HoldfastSettings(keyPrefix, options, nodeOptions, fenceRetention);
        check(settings);
        boolean ownTiming = timing == null;
        Timing machine = timing != null ? timing : Timing.system("holdfast");
        Timing used = new Timing(new AdjustedTicker(machine.ticker()), machine.scheduler(), machine.random());
        String client = clientId(used.random());
        NodeContext.Times times = new NodeContext.Times(
                quarantineMillis(), fenceRetention.toMillis(), options.ttl().toMillis());
        List<Function<NodeListener, LockNode>> open = new ArrayList<>();
        for (Function<NodeContext, LockNode> opener : openers) {
            open.add(listener ->
                    opener.apply(new NodeContext(client, listener, nodeOptions, used, times, openers.size())));
        }
        try {
            Quorum quorum =
                    new Quorum(client, used, open, Observers.of(observers), Durations.saturatedNanos(noQuorumTimeout));
            return new Holdfast(settings, used, ownTiming, quorum);
        } catch (RuntimeException e) {
            if (ownTiming) {
                used.scheduler().close();
            }
            throw e;
        }
    }

    /**
     * Builds the client as {@link #build} does, and waits until it has tried to connect to every node once. Blocks for the connect timeout at most.
     * Once a majority has connected, this call does not wait for silent nodes. Unreachable nodes cause no error, because they may come back.
     *
     * @throws IllegalArgumentException under the conditions of {@link #build}
     * @throws dev.holdfast.lock.NodeRefusedException if the client must not use a node; the message names the node and the reason
     * @throws HoldfastException if the thread is interrupted; its interrupt status stays set
     */
    public Holdfast connect() {
        Holdfast holdfast = build();
        try {
            holdfast.awaitNodes();
            return holdfast;
        } catch (InterruptedException e) {
            holdfast.close();
            Thread.currentThread().interrupt();
            throw new HoldfastException("interrupted while connecting");
        } catch (RuntimeException e) {
            holdfast.close();
            throw e;
        }
    }

    private void check(HoldfastSettings settings) {
        if (openers.isEmpty()) {
            throw new IllegalArgumentException("no nodes are given, but a lock needs at least one");
        }
        Set<String> seen = new HashSet<>();
        for (String uri : nodes) {
            if (!uri.equals("memory:") && !seen.add(uri)) {
                throw new IllegalArgumentException(
                        "node " + (nodes.indexOf(uri) + 1) + " is given twice, but one server has one vote");
            }
        }
        settings.requireFitting(options.ttl());
        if (openers.size() % 2 == 0) {
            LOG.log(
                    Level.WARNING,
                    "{0} nodes are given: an even number tolerates no more failures than {1} would",
                    openers.size(),
                    openers.size() - 1);
        }
    }

    private LongUnaryOperator quarantineMillis() {
        if (restartQuarantine != null) {
            long millis = restartQuarantine.toMillis();
            return ttlMillis -> millis;
        }
        return openers.size() == 1 ? ttlMillis -> 0 : LongUnaryOperator.identity();
    }

    private static NodeProvider provider(String uri) {
        Objects.requireNonNull(uri, "node URI");
        String scheme = uri.substring(0, Math.max(uri.indexOf(':'), 0)).toLowerCase(Locale.ROOT);
        Set<String> known = new TreeSet<>();
        for (NodeProvider provider : ServiceLoader.load(NodeProvider.class, HoldfastBuilder.class.getClassLoader())) {
            if (provider.schemes().contains(scheme)) {
                return provider;
            }
            known.addAll(provider.schemes());
        }
        String shown = scheme.matches("[a-z][a-z0-9+.-]*") ? "has the scheme '" + scheme + "'" : "has no scheme";
        boolean isOfOtherModule = scheme.matches("rediss?(-sentinel|-cluster|-socket)?|holdfasts?|postgres(ql)?|jdbc");
        throw new IllegalArgumentException("a node's URI " + shown + ", but must begin with one of " + known
                + (isOfOtherModule
                        ? "; add the module of such nodes: holdfast-redis, holdfast-server-client or holdfast-postgresql"
                        : " and a colon, as in redis://localhost:6379"));
    }

    private String clientId(RandomGenerator random) {
        StringBuilder id = new StringBuilder(clientName != null ? clientName : defaultClientName()).append('~');
        for (int i = 0; i < CLIENT_SUFFIX_LENGTH; i++) {
            id.append(Character.forDigit(random.nextInt(Character.MAX_RADIX), Character.MAX_RADIX));
        }
        return id.toString();
    }

    private static String defaultClientName() {
        String name = System.getProperty("user.name", "java") + "@" + host() + ":"
                + ProcessHandle.current().pid();
        String plain = name.replaceAll("[^0-9A-Za-z@._:-]", "_");
        return plain.substring(Math.max(plain.length() - LONGEST_CLIENT_NAME, 0));
    }

    private static String host() {
        String name = System.getenv("HOSTNAME");
        try {
            return name != null && !name.isBlank()
                    ? name
                    : InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
