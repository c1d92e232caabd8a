package dev.holdfast;

import dev.holdfast.internal.lease.LeaseLimits;
import dev.holdfast.internal.observe.Observers;
import dev.holdfast.internal.quorum.Quorum;
import dev.holdfast.internal.time.AdjustedTicker;
import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastException;
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
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link Holdfast}. Every wrong one is refused at once; none is corrected in silence. Not thread-safe. */
public final class HoldfastBuilder {

    /** How long the nodes keep a lease that is not extended, unless set. */
    public static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    private static final System.Logger LOG = System.getLogger(HoldfastBuilder.class.getName());
    private static final Duration DEFAULT_WAITER_TTL = Duration.ofSeconds(10);
    private static final Duration DEFAULT_NO_QUORUM_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SHORTEST_NO_QUORUM_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration DEFAULT_FENCE_RETENTION = Duration.ofHours(24);
    private static final String DEFAULT_KEY_PREFIX = "lock:";
    private static final int LONGEST_CLIENT_NAME = 100;
    private static final int CLIENT_SUFFIX_LENGTH = 12;

    private String keyPrefix = DEFAULT_KEY_PREFIX;
    private NodeOptions nodeOptions = NodeOptions.defaults();
    private Duration waiterTtl = DEFAULT_WAITER_TTL;
    private LockOptions options = LockOptions.defaults(DEFAULT_TTL);
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
     * Adds nodes: independent masters, each a server of its own. One is the single-instance lock; use an odd number otherwise, since an even
     * one needs as many to be up as the next odd one.
     *
     * @param uris such as {@code redis://host:6379}; the scheme decides which kind of node it is
     */
    public HoldfastBuilder nodes(String... uris) {
        return nodes(List.of(uris));
    }

    /** As {@link #nodes(String...)}. */
    public HoldfastBuilder nodes(List<String> uris) {
        for (String uri : uris) {
            NodeProvider provider = provider(uri);
            nodes.add(uri);
            openers.add(context -> provider.open(uri, context));
        }
        return this;
    }

    /** Adds a node that is opened by other means than a URI. */
    public HoldfastBuilder node(Function<NodeContext, LockNode> opener) {
        openers.add(Objects.requireNonNull(opener, "opener"));
        return this;
    }

    /** What the nodes' keys begin with, {@code lock:} unless set; empty, or {@code redlock:}, to meet the keys of other clients; never {@code holdfast:}, which Holdfast's own keys begin with. */
    public HoldfastBuilder keyPrefix(String keyPrefix) {
        this.keyPrefix = LockNames.prefix("keyPrefix", keyPrefix);
        return this;
    }

    /**
     * What people call this client, such as {@code billing@host-7}; the user, the host and the process unless set. A random part is
     * added, so two clients may have the same name.
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

    /** The default of {@link DistributedLock#ttl}, 30 s unless set. */
    public HoldfastBuilder ttl(Duration ttl) {
        LeaseLimits.requireTtl("ttl", ttl);
        options = options.withTtl(ttl);
        return this;
    }

    /** The default of {@link DistributedLock#autoExtend}, true unless set. */
    public HoldfastBuilder autoExtend(boolean autoExtend) {
        options = options.withLease(lease -> lease.withAutoExtend(autoExtend));
        return this;
    }

    /** The default of {@link DistributedLock#maxHold}, without end unless set. */
    public HoldfastBuilder maxHold(Duration maxHold) {
        Durations.requireBetween("maxHold", maxHold, DistributedLock.MIN_TTL, DistributedLock.FOREVER);
        options = options.withLease(lease -> lease.withMaxHoldNanos(Durations.saturatedNanos(maxHold)));
        return this;
    }

    /** The default of {@link DistributedLock#localHandOver}, true unless set. */
    public HoldfastBuilder localHandOver(boolean localHandOver) {
        options = options.withLease(lease -> lease.withHandsOn(localHandOver));
        return this;
    }

    /** The default of {@link DistributedLock#linger}, none unless set. */
    public HoldfastBuilder linger(Duration linger) {
        LeaseLimits.requireLinger(linger);
        options = options.withLease(lease -> lease.withLingerNanos(linger.toNanos()));
        return this;
    }

    /** How nodes are reached. */
    public HoldfastBuilder nodeOptions(NodeOptions nodeOptions) {
        this.nodeOptions = Objects.requireNonNull(nodeOptions, "nodeOptions");
        return this;
    }

    /**
     * How long a place in a queue is kept for a client that no longer asks, and so how long one that crashed in line delays the rest:
     * 50 ms to 24 h, 10 s unless set, never more than the lock's ttl. A waiter asks three times as often.
     */
    public HoldfastBuilder waiterTtl(Duration waiterTtl) {
        LeaseLimits.requireTtl("waiterTtl", waiterTtl);
        this.waiterTtl = waiterTtl;
        return this;
    }

    /**
     * How long an attempt without a limit goes on while no majority of nodes answers, before it ends with a {@link dev.holdfast.lock.NoQuorumException}: 1 s or
     * more, {@link DistributedLock#FOREVER} for no end, 30 s unless set. An attempt with a limit waits for as long as its caller said. A quarantined node does not
     * count as answering. A warning is logged after 5 s, and again at growing intervals.
     */
    public HoldfastBuilder noQuorumTimeout(Duration noQuorumTimeout) {
        Durations.requireBetween(
                "noQuorumTimeout", noQuorumTimeout, SHORTEST_NO_QUORUM_TIMEOUT, DistributedLock.FOREVER);
        this.noQuorumTimeout = noQuorumTimeout;
        return this;
    }

    /**
     * How long a node remembers a lock's fence after its last use: 1 s to 365 days and at least the ttl, 24 h unless set. A fence
     * that was forgotten rises all the same, since it is based on the node's clock; a longer memory forgives that clock being set back.
     */
    public HoldfastBuilder fenceRetention(Duration fenceRetention) {
        Durations.requireBetween("fenceRetention", fenceRetention, Duration.ofSeconds(1), Duration.ofDays(365));
        this.fenceRetention = fenceRetention;
        return this;
    }

    /**
     * How long this client quarantines a node that may have lost state (PROTOCOL §5): 0 (off) to 24 h. Unless set, it follows each request:
     * the node is quarantined for the request's ttl, or for the longest ttl of that lock that a node reports; off for a single node. Set
     * it where clients use different ttls for one lock, to the longest of them.
     */
    public HoldfastBuilder restartQuarantine(Duration restartQuarantine) {
        Durations.requireBetween("restartQuarantine", restartQuarantine, Duration.ZERO, DistributedLock.MAX_TTL);
        this.restartQuarantine = restartQuarantine;
        return this;
    }

    /** Adds one who is told what the client does, as for metrics. The events of Java Flight Recorder need none. */
    public HoldfastBuilder observer(ClientObserver observer) {
        observers.add(Objects.requireNonNull(observer, "observer"));
        return this;
    }

    /** Clocks, timers and randomness other than the machine's own, which the caller closes: for tests and simulators. */
    public HoldfastBuilder timing(Timing timing) {
        this.timing = Objects.requireNonNull(timing, "timing");
        return this;
    }

    /**
     * Begins to connect and returns at once. Nodes that turn out to be unusable (a replica, one server under two names) are not asked,
     * and logged.
     *
     * @throws IllegalArgumentException if there are no nodes, a URI is wrong or twice there, or settings contradict each other
     */
    public Holdfast build() {
        HoldfastSettings settings = new HoldfastSettings(keyPrefix, options, nodeOptions, waiterTtl, fenceRetention);
        check(settings);
        boolean ownTiming = timing == null;
        Timing machine = timing != null ? timing : Timing.system("holdfast");
        Timing used = new Timing(new AdjustedTicker(machine.ticker()), machine.scheduler(), machine.random());
        String client = clientId(used.random());
        LongUnaryOperator quarantine = quarantineMillis();
        List<Function<NodeListener, LockNode>> open = new ArrayList<>();
        for (Function<NodeContext, LockNode> opener : openers) {
            open.add(listener -> opener.apply(new NodeContext(
                    client,
                    listener,
                    nodeOptions,
                    used,
                    quarantine,
                    fenceRetention.toMillis(),
                    options.ttl().toMillis(),
                    openers.size())));
        }
        try {
            return new Holdfast(
                    settings,
                    used,
                    ownTiming,
                    new Quorum(client, used, open, Observers.of(observers), Durations.saturatedNanos(noQuorumTimeout)));
        } catch (RuntimeException e) {
            if (ownTiming) {
                used.scheduler().close();
            }
            throw e;
        }
    }

    /**
     * {@link #build}, then waits until every node has been tried once, the connect timeout at most, and no longer for a node that keeps
     * silent once a majority has connected. Nodes that can't be reached are no error: they may come back.
     *
     * @throws IllegalArgumentException as {@link #build}
     * @throws dev.holdfast.lock.NodeRefusedException if a node must not be used: it says which, and why
     * @throws HoldfastException if the thread was interrupted; the interrupt stays visible
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
        Duration configured = restartQuarantine;
        if (configured != null) {
            long millis = configured.toMillis();
            return ttlMillis -> millis;
        }
        return openers.size() == 1 ? ttlMillis -> 0 : LongUnaryOperator.identity();
    }

    private static NodeProvider provider(String uri) {
        Objects.requireNonNull(uri, "node URI");
        int colon = uri.indexOf(':');
        String scheme = colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
        Set<String> known = new TreeSet<>();
        for (NodeProvider provider : ServiceLoader.load(NodeProvider.class, HoldfastBuilder.class.getClassLoader())) {
            if (provider.schemes().contains(scheme)) {
                return provider;
            }
            known.addAll(provider.schemes());
        }
        String shown = scheme.matches("[a-z][a-z0-9+.-]*") ? "has the scheme '" + scheme + "'" : "has no scheme";
        throw new IllegalArgumentException("a node's URI " + shown + ", but must begin with one of " + known
                + " and a colon, as in redis://localhost:6379");
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
        if (name != null && !name.isBlank()) {
            return name;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
