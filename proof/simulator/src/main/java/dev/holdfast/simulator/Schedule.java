package dev.holdfast.simulator;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ResourceState;
import dev.holdfast.testkit.ManualMachine;
import dev.holdfast.testkit.ManualTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of a scenario: the same from the same seed, to the last message. First faults strike. Then all is well, and every waiter
 * must acquire its lock. Then all clients stop, and nothing may be left.
 */
public final class Schedule {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final Duration SLICE = Duration.ofMillis(20);

    /** The shortest and the longest time that a message takes while nothing is wrong. */
    private static final long FASTEST_NANOS = 100_000;

    private static final long SLOWEST_NANOS = 1_000_000;

    /** How long a node that restarts in turn is away. */
    private static final long RESTART_NANOS = 20 * NANOS_PER_MILLI;

    /** The time in which every client has reconnected after a restart. */
    private static final long RECONNECT_NANOS = 150 * NANOS_PER_MILLI;

    /** The time within which a client re-sends a release that was lost with a connection. */
    private static final long LONGEST_RETRY_MILLIS = 2_000;

    private final Scenario scenario;
    private final long seed;
    private final SplittableRandom random;
    private final ManualTiming world;
    private final ManualMachine network;
    private final Trace trace;
    private final List<SimServer> servers;
    private final List<SimClient> clients = new ArrayList<>();
    private final Map<String, SimClient> byId = new HashMap<>();
    private final List<SharedLock> locks;
    private final Map<String, SharedLock> others = new HashMap<>(); // the locks that recipes consist of
    private final Map<Count, Long> counts = new EnumMap<>(Count.class);
    private final List<Violation> violations = new ArrayList<>();
    private final List<Undo> undos = new ArrayList<>();
    private final boolean ttlPerLock;
    private int clientsMade;
    private int restarts;
    private long restartedNanos = Long.MIN_VALUE / 2;
    private boolean isSetDown;
    private boolean calm;
    private boolean ending;

    /** The end of a fault, which runs once. */
    private static final class Undo {
        private @Nullable Runnable step;

        Undo(Runnable step) {
            this.step = step;
        }

        void run() {
            Runnable once = step;
            step = null;
            if (once != null) {
                once.run();
            }
        }
    }

    /**
     * Creates the nodes and clients.
     *
     * @param text receives the events, line by line; null for none
     */
    public Schedule(Scenario scenario, long seed, @Nullable StringBuilder text) {
        this.scenario = scenario;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.world = new ManualTiming(random.nextLong());
        this.network = world.machine("network");
        this.trace = new Trace(world, text);
        this.servers = IntStream.range(0, scenario.nodes())
                .mapToObj(index -> new SimServer(
                        this,
                        index,
                        machine(
                                String.valueOf((char) ('A' + index)),
                                scenario.clocks().nodeSkewMillis()),
                        fenceRetentionMillis()))
                .toList();
        this.locks = IntStream.range(0, scenario.load().locks())
                .mapToObj(index -> new SharedLock(this, "lock" + index))
                .toList();
        this.ttlPerLock = random.nextBoolean();
        for (int client = 0; client < scenario.load().clients(); client++) {
            addClient();
        }
    }

    // ---- the run

    /** Plays the schedule, which is possible only once. It ends early if a promise is broken. */
    public Outcome run() {
        strikeLater();
        play(scenario.faultyMillis());
        allIsWell();
        play(settleMillis());
        if (violations.isEmpty()) {
            checkServed();
        }
        ending = true;
        play(settleMillis()
                + (scenario.isRolling() ? 2L * scenario.load().longestTtlMillis() : scenario.fenceRetentionMillis()));
        checkNothingLeft();
        return outcome();
    }

    /** Returns the outcome after a step of the simulator itself threw an exception; the production code logs its own. */
    Outcome failed(RuntimeException thrown) {
        StackTraceElement[] where = thrown.getStackTrace();
        String at = where.length == 0 ? "" : " at " + where[0];
        violations.add(new Violation(Promise.NO_ERROR, nanos() / NANOS_PER_MILLI, thrown + at));
        return outcome();
    }

    private Outcome outcome() {
        return new Outcome(scenario.name(), seed, counts, violations, trace.hash());
    }

    private void play(long millis) {
        long end = nanos() + millis * NANOS_PER_MILLI;
        while (nanos() < end && violations.isEmpty()) {
            world.advance(SLICE);
            checkSignals();
            checkOrphans();
            checkPrompt();
            clients.forEach(SimClient::checkLingering);
            clients.forEach(SimClient::checkBehind);
            clients.forEach(SimClient::checkUncounted);
        }
    }

    private void strikeLater() {
        if (!scenario.faults().isEmpty()) {
            after((1 + random.nextLong(2L * scenario.faultEveryMillis())) * NANOS_PER_MILLI, () -> {
                if (!calm) {
                    Fault fault = scenario.faults()
                            .get(random.nextInt(scenario.faults().size()));
                    count(Count.FAULTS);
                    trace.add("world", fault.name(), 0, "");
                    fault.strike(this);
                    strikeLater();
                }
            });
        }
    }

    private void allIsWell() {
        trace.add("world", "all is well", 0, "");
        calm = true;
        List.copyOf(undos).forEach(Undo::run);
        undos.clear();
    }

    /**
     * Returns the time to settle. By then the ghosts, quarantines, leases and queues of the faulty time are over, and every worker has had
     * several turns.
     */
    private long settleMillis() {
        return 2L * scenario.load().longestTtlMillis() + scenario.network().slowMillis() + LONGEST_RETRY_MILLIS;
    }

    // ---- the scene

    /** Returns a machine with clocks of its own, which drift and differ as the scenario says. */
    ManualMachine machine(String name, int skewMillis) {
        ManualMachine machine = world.machine(name);
        int drift = scenario.clocks().driftPpm();
        machine.drift(drift == 0 ? 0 : random.nextInt(-drift, drift + 1));
        if (skewMillis > 0) {
            machine.stepWall(Duration.ofMillis(random.nextInt(skewMillis)));
        }
        return machine;
    }

    private void addClient() {
        ManualMachine machine = machine("c" + ++clientsMade, scenario.clocks().clientSkewMillis());
        SimClient client = new SimClient(this, machine, Duration.ofMillis(fenceRetentionMillis()));
        clients.add(client);
        byId.put(client.holdfast().client(), client);
        Scenario.Load load = scenario.load();
        boolean alike = load.handOver().equals(Scenario.HandOver.NEVER);
        int workers = alike ? load.workers() : random.nextInt(2 * load.workers() + 1);
        for (int worker = 0; worker < workers; worker++) {
            Worker.of(this, client).rest();
        }
    }

    void replaceAClient() {
        if (clients.size() < 2) {
            return; // at least one client must remain to see the state that dead clients left
        }
        SimClient gone = anyClient();
        trace.add(gone.toString(), "dies", 0, "");
        replace(gone);
    }

    void closeAClient() {
        anyClient().close();
    }

    /** Kills the process of this client; another takes its place. */
    void replace(SimClient gone) {
        gone.die();
        clients.remove(gone);
        lasting(span() / 4, this::addClient);
    }

    // ---- nodes that restart in turn

    /**
     * Restarts the next node. A value is written back only once the node votes again, so there must be time for that; a seal is written
     * back even to a node in quarantine.
     */
    void restartNext() {
        boolean seals = scenario.load().kind() == Scenario.Kind.ONCE;
        if (nanos() - restartedNanos < (seals ? quarantineNanos() * 6 / 5 : quarantineNanos() * 4)) {
            return;
        }
        SimServer next = servers.get(restarts++ % servers.size());
        restartedNanos = nanos() + RESTART_NANOS;
        next.crash();
        lasting(RESTART_NANOS / NANOS_PER_MILLI, next::startEmptyInTurn);
    }

    /** Returns how many nodes have restarted in turn. */
    int restarts() {
        return restarts;
    }

    /** Returns whether every node has been reachable since that time, possibly in quarantine. */
    boolean areAllReachedSince(long nanos) {
        return nanos > restartedNanos + RECONNECT_NANOS;
    }

    /** Returns whether every node has voted since that time. */
    boolean doAllVoteSince(long nanos) {
        return nanos > restartedNanos + RECONNECT_NANOS + 2 * quarantineNanos();
    }

    private long quarantineNanos() {
        return scenario.load().longestTtlMillis() * NANOS_PER_MILLI;
    }

    // ---- new sets of nodes

    /** Takes all nodes down until all their votes have expired, and then starts them with empty disks. */
    void startANewSet() {
        if (isSetDown) {
            return;
        }
        isSetDown = true;
        servers.stream().filter(SimServer::isUp).forEach(SimServer::crash);
        long millis = 2L * scenario.load().longestTtlMillis();
        long expiredNanos = nanos() + millis * NANOS_PER_MILLI;
        lasting(millis, () -> {
            isSetDown = false;
            boolean isNew = nanos() >= expiredNanos;
            for (SimServer server : servers) {
                if (isNew) {
                    server.replaceDisk();
                }
                server.start(SimServer.Memory.NONE);
            }
            if (isNew) {
                useTheNewSet();
            }
        });
    }

    /** Lets two operators bootstrap the set at once. Soon after clients have begun to use it, most of its disks may be lost. */
    private void useTheNewSet() {
        after(momentNanos() / 5, () -> Bootstrapping.start(this));
        after(momentNanos() / 5, () -> Bootstrapping.start(this));
        if (chance(0.5)) {
            after(RECONNECT_NANOS + momentNanos(), () -> {
                if (!calm) {
                    Fault.DISKS_ARE_LOST.strike(this);
                }
            });
        }
    }

    /** Returns whether all nodes are down until they start as a new set; nothing else starts them. */
    boolean isSetDown() {
        return isSetDown;
    }

    /**
     * Returns whether this is the only node that knows that the set is in use. If its disk was lost too, an operator who bootstraps the set would
     * break the condition of that command.
     */
    boolean isOnlyWitness(SimServer server) {
        return scenario.faults().contains(Fault.BOOTSTRAP)
                && server.isWitness()
                && servers.stream().noneMatch(other -> other != server && other.isWitness());
    }

    Scenario scenario() {
        return scenario;
    }

    List<SimServer> servers() {
        return servers;
    }

    Trace trace() {
        return trace;
    }

    boolean isCalm() {
        return calm;
    }

    boolean isEnding() {
        return ending;
    }

    // ---- time and chance

    long nanos() {
        return world.elapsed().toNanos();
    }

    /** Runs the step after this delay in true time. */
    void after(long delayNanos, Runnable step) {
        network.timing().scheduler().schedule(delayNanos, step);
    }

    /** Ends a fault's effect after this time, or as soon as all is to be well. */
    void lasting(long millis, Runnable end) {
        Undo undo = new Undo(end);
        undos.add(undo);
        after(millis * NANOS_PER_MILLI, () -> {
            undos.remove(undo);
            undo.run();
        });
    }

    SplittableRandom random() {
        return random;
    }

    boolean chance(double share) {
        return share > 0 && random.nextDouble() < share;
    }

    /** Returns how long a fault lasts: usually short, sometimes longer than any ttl. */
    long span() {
        long longest = 2L * scenario.load().longestTtlMillis();
        return 1 + random.nextLong(random.nextInt(3) == 0 ? longest : longest / 10);
    }

    /** Returns a random time in which a few messages may travel. */
    long momentNanos() {
        return random.nextLong(100 * NANOS_PER_MILLI);
    }

    /** Returns how far a replica is behind: usually up to 50 ms, sometimes up to a second; in rare cases it has no state yet. */
    long replicaLagNanos() {
        return switch (random.nextInt(10)) {
            case 0 -> Long.MAX_VALUE / 2;
            case 1, 2, 3 -> random.nextLong(1_000 * NANOS_PER_MILLI);
            default -> random.nextLong(50 * NANOS_PER_MILLI);
        };
    }

    /** Returns how long a machine is frozen: for longer than clocks may differ, and usually for less than a ttl. */
    long freezeMillis() {
        return random.nextLong(100, random.nextInt(3) == 0 ? 2_000 : 600);
    }

    /** Returns a wait that is longer than a schedule lasts, once all is well. */
    Duration longestWait() {
        return Duration.ofMillis(4 * settleMillis());
    }

    long latencyNanos() {
        return chance(scenario.network().slow()) && !calm ? slowNanos() : random.nextLong(FASTEST_NANOS, SLOWEST_NANOS);
    }

    long slowNanos() {
        return random.nextLong(scenario.network().slowMillis() * NANOS_PER_MILLI);
    }

    SimServer anyServer() {
        return servers.get(random.nextInt(servers.size()));
    }

    SimClient anyClient() {
        return clients.get(random.nextInt(clients.size()));
    }

    /** Returns how long nodes remember fences and values. */
    long fenceRetentionMillis() {
        return scenario.fenceRetentionMillis();
    }

    List<SharedLock> locks() {
        return locks;
    }

    SharedLock lock(String name) {
        return locks.stream()
                .filter(lock -> lock.name().equals(name))
                .findFirst()
                .orElseGet(() -> others.computeIfAbsent(name, other -> new SharedLock(this, other)));
    }

    SharedLock anyLock() {
        return locks.get(random.nextInt(locks.size()));
    }

    long anyTtlMillis() {
        return any(scenario.load().ttlMillis());
    }

    /**
     * Returns whether every lock has one ttl that all clients use for it, so that quarantine may follow the request (PROTOCOL §5). In the
     * other schedules clients use any ttl for a lock.
     */
    boolean hasTtlPerLock() {
        return ttlPerLock;
    }

    /** Returns the ttl to request for a turn that wishes for this one. */
    long ttlMillis(SharedLock lock, long wishedMillis) {
        List<Integer> ttls = scenario.load().ttlMillis();
        return ttlPerLock ? ttls.get(Math.floorMod(lock.name().hashCode() + seed, ttls.size())) : wishedMillis;
    }

    /** Returns a random element; a list of one element uses up no random number. */
    <T> T any(List<T> some) {
        return some.get(some.size() == 1 ? 0 : random.nextInt(some.size()));
    }

    Stream<SimLink> links(Predicate<SimLink> which) {
        return clients.stream().flatMap(client -> client.links().stream()).filter(which);
    }

    Stream<SimLink> anyLinks(int count) {
        return IntStream.range(0, count).mapToObj(i -> anyClient().links().get(random.nextInt(servers.size())));
    }

    void step(SimServer server, long millis) {
        trace.add(server.name(), "steps its clock", millis, "");
        server.machine().stepWall(Duration.ofMillis(millis));
    }

    // ---- what is seen

    void count(Count what) {
        counts.merge(what, 1L, Long::sum);
    }

    void broken(Promise promise, String detail) {
        if (scenario.promises(promise)) {
            violations.add(new Violation(promise, nanos() / NANOS_PER_MILLI, detail));
            trace.add("world", "BROKEN " + promise, 0, detail);
        }
    }

    /** Records the answer of a node. */
    void heard(SimServer server, AcquireRequest request, AcquireAnswer answer) {
        if (answer instanceof AcquireAnswer.Queued) {
            Owner owner = owner(request.owner());
            if (owner != null) {
                owner.queuedAt(server.index(), servers.size(), nanos());
            }
        }
    }

    boolean isOld(OwnerId id) {
        SimClient client = byId.get(id.client());
        return client != null && client.isOld();
    }

    private @Nullable Owner owner(OwnerId id) {
        SimClient client = byId.get(id.client());
        return client == null ? null : client.owner(id.attempt());
    }

    private void checkSignals() {
        for (SharedLock lock : locks) {
            for (Turn turn : lock.holding()) {
                if (turn.lease != null && !turn.lost && !turn.isHeld() && turn.client.isUpToDate()) {
                    broken(Promise.SIGNALS, turn + " has ended, but its holder was not notified");
                }
                long maxHold = turn.wish.maxHoldMillis();
                long heldMillis = (nanos() - turn.grantedNanos) / NANOS_PER_MILLI;
                if (heldMillis > maxHold + maxHold / 100 + 10 && turn.isHeld() && !turn.client.isBehind()) {
                    broken(Promise.SIGNALS, turn + " is held for longer than " + maxHold + " ms");
                }
            }
        }
    }

    private void checkPrompt() {
        if (scenario.promises(Promise.PROMPT)) {
            for (SharedLock lock : locks) {
                List.copyOf(lock.asking()).stream()
                        .map(turn -> turn.owner)
                        .filter(Objects::nonNull)
                        .distinct()
                        .forEach(Owner::checkPrompt);
            }
        }
    }

    private void checkOrphans() {
        if (!scenario.promises(Promise.NO_ORPHANS)) {
            return;
        }
        for (SimServer server : servers) {
            for (SharedLock lock : locks) {
                ResourceState state = server.state(lock.name());
                state.holders().forEach(holder -> checkOwned(server, lock, holder.owner(), "vote"));
                state.waiters().forEach(waiter -> checkOwned(server, lock, waiter.owner(), "position in the queue"));
            }
        }
    }

    private void checkOwned(SimServer server, SharedLock lock, String owner, String what) {
        Owner known = owner(OwnerId.parse(owner).orElseThrow());
        long settle = 5L * (scenario.network().slowMillis() + scenario.faultEveryMillis()) * NANOS_PER_MILLI;
        if (known != null
                && known.client.isAlive()
                && known.unwantedNanos() > settle + known.client.lingerMillis() * NANOS_PER_MILLI) {
            broken(
                    Promise.NO_ORPHANS,
                    "the " + what + " of " + owner + " for " + lock.name() + " is left at " + server.name());
        }
    }

    private void checkServed() {
        long longest = scenario.load().longestTtlMillis() * NANOS_PER_MILLI;
        for (SharedLock lock : locks) {
            for (Turn turn : lock.asking()) {
                if (nanos() - turn.askedNanos > longest) {
                    broken(Promise.SERVED, turn + " still waits though all is well");
                }
            }
        }
    }

    private void checkNothingLeft() {
        if (!violations.isEmpty()) {
            return;
        }
        for (SimServer server : servers) {
            server.cluster().ifPresent(SimCluster::checkReplicas);
            if (server.size() > 0) {
                broken(Promise.NOTHING_LEFT, server.size() + " resources are left at " + server.name());
            }
        }
        for (SimClient client : clients) {
            if (client.machine().pendingTimers() > 0) {
                broken(Promise.NOTHING_LEFT, client.machine().pendingTimers() + " timers are left at " + client);
            }
        }
    }
}
