package dev.holdfast.simulator;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.ClockWatch;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.Quarantine;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ServerMemory;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Ticker;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One client's end of the link to one node. It connects, reconnects, and quarantines a node that may have lost state (PROTOCOL §5), as
 * the Redis node does, by the production {@link ServerMemory}.
 */
final class SimLink implements LockNode {

    private static final Unavailable NOT_CONNECTED = new Unavailable("not connected", false);
    private static final Unavailable BROKEN = new Unavailable("the connection broke", true);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long MILLIS_PER_SECOND = 1_000;
    private static final int LONGEST_BACKOFF_MILLIS = 100;
    private static final long SHORTEST_INTERVAL_MILLIS = 20;

    /** How often per ttl the link checks the node's clock, as the Redis node does. */
    static final int LOOKS_PER_TTL = 10;

    private final Schedule schedule;
    private final SimClient client;
    private final SimServer server;
    private final NodeContext context;
    private final Ticker ticker;
    private final Deque<Runnable> inbox = new ArrayDeque<>();
    private @Nullable Connection connection;
    private boolean closed;
    private boolean blockedOut;
    private boolean blockedIn;
    private String runId = "";
    private final ServerMemory memory;
    private long startedMillis; // when the run began, by the server's clock
    private long lostAtMillis; // since when a database may lack commits, by its clock; 0 if it lost nothing
    private long lostNanos; // the same, by the client's clock
    private long runKnownNanos; // in true time
    private ClockWatch clock = new ClockWatch(); // of this run
    private boolean watching;
    private long watchedUntilNanos;
    private long smallestTtlMillis;
    private long connectedNanos;
    private long knownForMillis; // by the greeting of a node that persists its promises
    private long greetedNanos;
    private final Map<OwnerId, Integer> open = new HashMap<>(); // requests under way

    SimLink(Schedule schedule, SimClient client, SimServer server, NodeContext context) {
        this.schedule = schedule;
        this.client = client;
        this.server = server;
        this.context = context;
        this.ticker = context.timing().ticker();
        this.memory = new ServerMemory(
                ticker,
                context.times().quarantineMillis(),
                context.times().ttlMillis(),
                () -> Long.toHexString(context.timing().random().nextLong()));
        connectIn(0);
    }

    SimServer server() {
        return server;
    }

    String clientId() {
        return context.client();
    }

    @Nullable
    Connection connection() {
        return connection;
    }

    // ---- partitions

    /** Blocks all messages from now on, one way or both, until the link is healed. */
    void block(boolean out, boolean in) {
        blockedOut |= out;
        blockedIn |= in;
        apply();
    }

    void unblock() {
        blockedOut = false;
        blockedIn = false;
        apply();
    }

    private void apply() {
        Connection now = connection;
        if (now != null) {
            set(now.toServer(), blockedOut);
            set(now.toClient(), blockedIn);
        }
    }

    private static void set(Wire wire, boolean blocked) {
        if (blocked) {
            wire.block();
        } else {
            wire.unblock();
        }
    }

    // ---- connecting

    private void connectIn(long delayNanos) {
        context.timing().scheduler().schedule(delayNanos, this::connect);
    }

    private void connect() {
        if (closed) {
            return;
        }
        if (blockedOut || blockedIn || !server.canBeReached()) {
            connectIn(NANOS_PER_MILLI * (1 + schedule.random().nextInt(LONGEST_BACKOFF_MILLIS)));
            return;
        }
        Connection made = new Connection(schedule, this, server);
        context.listener().identified(server.runId());
        connection = made;
        connectedNanos = schedule.nanos();
        server.connected(made);
        String serverRunId = server.runId();
        if (!serverRunId.equals(runId)) {
            runId = serverRunId;
            runKnownNanos = schedule.nanos();
            clock = new ClockWatch();
        }
        learnOfTheRun();
        if (schedule.scenario().watchesClocks()) {
            compare();
        }
        schedule.trace().add(toString(), "connects", memory.remainingMillis(), serverRunId);
        context.listener().available(serverRunId);
    }

    /** Reads the facts that a client requests from a Redis server before it asks for votes. */
    private void learnOfTheRun() {
        knownForMillis = server.knownForMillis();
        greetedNanos = ticker.nanos();
        if (server.isDatabase()) {
            lostAtMillis = server.connectToDatabase();
            lostNanos = ticker.nanos() - Math.max(serverMillis() - lostAtMillis, 0) * NANOS_PER_MILLI;
            return;
        }
        startedMillis = latestStartMillis();
        memory.connected(server.runId(), serverMillis() - startedMillis, server.wasReplica());
        Optional<ServerMemory.Write> write = memory.seen(server.epoch(), serverMillis(), ticker.nanos());
        while (write.isPresent()) {
            server.writeEpoch(write.get());
            write = memory.seen(server.epoch(), serverMillis(), ticker.nanos());
        }
    }

    /** Returns the latest time at which the run can have begun, by the server's clock. */
    private long latestStartMillis() {
        long started = serverMillis() - server.uptimeNanos() / NANOS_PER_MILLI;
        return schedule.scenario().store() == Scenario.Store.REDIS_BY_THE_SECOND
                ? Math.min(serverMillis(), started - started % MILLIS_PER_SECOND + MILLIS_PER_SECOND)
                : started;
    }

    private long serverMillis() {
        return server.clockMicros() / 1_000;
    }

    /** Notes that the client has read the end of the connection. */
    void lost(Connection broken) {
        boolean isPresent = connection == broken;
        connection = isPresent ? null : connection;
        broken.endCalls(BROKEN);
        if (isPresent) {
            context.listener().unavailable("the connection broke");
            connectIn(NANOS_PER_MILLI * (1 + schedule.random().nextInt(LONGEST_BACKOFF_MILLIS)));
        }
    }

    @Override
    public long quarantineMillis(long ttlMillis) {
        if (server.isDatabase()) {
            return databaseQuarantineMillis(ttlMillis);
        }
        return server.remembers() ? untilKnownMillis(ttlMillis) : memory.remainingMillis(ttlMillis);
    }

    /** Returns the rest of the quarantine of a node that persists its promises, as the client of a lock server counts it: by the age of its disk. */
    private long untilKnownMillis(long ttlMillis) {
        long sinceMillis = (ticker.nanos() - greetedNanos) / NANOS_PER_MILLI;
        long quarantine = context.times().quarantineMillis().applyAsLong(ttlMillis);
        return knownForMillis == Long.MAX_VALUE ? 0 : Math.max(quarantine - knownForMillis - sinceMillis, 0);
    }

    /** Returns the quarantine as the PostgreSQL node does. */
    private long databaseQuarantineMillis(long ttlMillis) {
        if (lostAtMillis == 0) {
            return 0;
        }
        long age = (ticker.nanos() - lostNanos) / NANOS_PER_MILLI;
        return Math.max(context.times().quarantineMillis().applyAsLong(ttlMillis) - Math.max(age, 0), 0);
    }

    /** Returns the time since which votes of the node count, by its clock. */
    private long countedFromMillis(long ttlMillis) {
        if (!server.isDatabase()) {
            return memory.countedFromMillis(startedMillis, ttlMillis);
        }
        return lostAtMillis == 0
                ? 0
                : lostAtMillis + Math.max(context.times().quarantineMillis().applyAsLong(ttlMillis), 0);
    }

    /**
     * Returns whether this owner must have released everything at the node. Its client does not count the node for this ttl, has all answers of the
     * node, and has been connected for this time.
     */
    boolean hasNotCounted(OwnerId owner, long ttlMillis, long nanos) {
        return connection != null
                && !connection.isBroken()
                && open.getOrDefault(owner, 0) == 0
                && schedule.nanos() - connectedNanos > nanos
                && quarantineMillis(ttlMillis) * NANOS_PER_MILLI > nanos;
    }

    /** Returns whether the client has been connected for this time, and counts a vote of the node under an id that begins so. */
    boolean countsVoteOf(String ownerPrefix, String resource, long ttlMillis, long nanos) {
        return connection != null
                && !connection.isBroken()
                && !blockedOut
                && !blockedIn
                && schedule.nanos() - connectedNanos > nanos
                && quarantineMillis(ttlMillis) == 0
                && server.canBeReached()
                && server.state(resource).holders().stream()
                        .anyMatch(holder -> holder.owner().startsWith(ownerPrefix));
    }

    // ---- the node's clock

    /** Checks the node's clock ten times in the smallest ttl, for as long as a vote may last. */
    private void watchFor(long ttlMillis) {
        if (!schedule.scenario().watchesClocks()) {
            return;
        }
        long until = ticker.nanos() + ttlMillis * NANOS_PER_MILLI;
        if (!watching) {
            watching = true;
            watchedUntilNanos = until;
            smallestTtlMillis = ttlMillis;
            clock.startAgain();
            lookAndGoOn();
        }
        watchedUntilNanos = until - watchedUntilNanos > 0 ? until : watchedUntilNanos;
        smallestTtlMillis = Math.min(smallestTtlMillis, ttlMillis);
    }

    private void lookAndGoOn() {
        long interval = Math.max(smallestTtlMillis / LOOKS_PER_TTL, SHORTEST_INTERVAL_MILLIS) * NANOS_PER_MILLI;
        context.timing().scheduler().schedule(interval, () -> {
            watching = !closed && watchedUntilNanos - ticker.nanos() > 0;
            if (watching) {
                lookAndGoOn();
            }
        });
        compare();
    }

    private void compare() {
        look().thenAccept(seen -> {
            if (seen.micros >= 0) {
                long allowance = ClockWatch.allowanceMicros(smallestTtlMillis);
                clock.compare(seen.sent, seen.received, seen.micros, allowance).ifPresent(this::judge);
            }
        });
    }

    private void judge(ClockWatch.Step step) {
        schedule.trace().add(toString(), "sees a step", step.micros(), "");
        context.listener().clockStepped(step.micros(), step.since()).thenAccept(own -> {
            clock.judged(own);
            if (own) {
                memory.clockStepped(serverMillis());
                schedule.broken(
                        Promise.NO_BLAME, client + " quarantines " + server.name() + ", whose clock did not step");
            }
        });
    }

    /** The server's clock in the answer to a look, in microseconds; negative if the server did not answer. */
    private record Seen(Moment sent, Moment received, long micros) {}

    private CompletionStage<Seen> look() {
        Moment sent = context.timing().now();
        return this.askPlainly(SimServer::clockMicros, -1L).thenApply(micros -> {
            schedule.trace().add(toString(), "looks at the clock", micros, "");
            return new Seen(sent, context.timing().now(), micros);
        });
    }

    @Override
    public CompletionStage<OptionalLong> clockGainMicros(Moment since) {
        return look().thenApply(seen -> seen.micros < 0
                ? OptionalLong.empty()
                : clock.mostGainSince(since, seen.sent, seen.received, seen.micros));
    }

    /** Returns whether the client can ask the node now, and compare its answer with one from before that moment. */
    boolean tellsTimeSince(long nanos) {
        Connection now = connection;
        return now != null
                && !now.isBroken()
                && !blockedOut
                && !blockedIn
                && server.canBeReached()
                && runKnownNanos < nanos;
    }

    // ---- what comes in

    /** Runs an arrival when the client reads: at once, unless it is paused or has more to read. */
    void deliver(Runnable arrival) {
        if (closed) {
            return;
        }
        if (client.machine().runs() && inbox.isEmpty()) {
            arrival.run();
        } else {
            inbox.add(arrival);
        }
    }

    /** Reads the messages that arrived while the client was paused. */
    void read() {
        while (!inbox.isEmpty() && client.machine().runs()) {
            inbox.remove().run();
        }
    }

    void available(Connection from) {
        if (connection == from) {
            context.listener().available(runId);
        }
    }

    void pushed(Connection from, Push push) {
        if (connection == from || !from.isBroken()) {
            client.hears(this, push);
            context.listener().pushed(push);
        }
    }

    // ---- the node

    @Override
    public String name() {
        return server.name();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        client.asks(this, request);
        open.merge(request.owner(), 1, Integer::sum);
        watchFor(request.ttlMillis());
        if (client.raises(request)
                && schedule.chance(schedule.scenario().network().raisesHeld())) {
            holdUp();
        }
        long quarantine = connection == null ? 0 : quarantineMillis(request.ttlMillis());
        long counted = countedFromMillis(request.ttlMillis());
        return Quarantine.ask(request, quarantine, sent -> this.<AcquireAnswer>ask(to -> to.acquire(sent, counted)))
                .thenApply(answer -> {
                    open.merge(request.owner(), -1, Integer::sum);
                    client.hears(request, answer);
                    return client.isOld() ? OldVersion.heard(answer) : answer;
                });
    }

    private void holdUp() {
        Connection now = connection;
        if (now != null) {
            now.toServer().block();
            schedule.after(schedule.slowNanos(), now.toServer()::unblock);
        }
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        client.releases(this, request);
        long counted = countedFromMillis(context.times().ttlMillis());
        ReleaseRequest said = client.isOld() ? OldVersion.said(request, client.hasLease(request.owner())) : request;
        return ask(to -> to.release(said, counted));
    }

    @SuppressWarnings("unchecked") // Unavailable is an answer to every kind of request
    private <A> CompletionStage<A> ask(Function<SimServer, ? extends CompletionStage<? extends A>> step) {
        Connection now = connection;
        return now == null || closed ? CompletableFuture.completedStage((A) NOT_CONNECTED) : now.send(step);
    }

    /** Sends a request that concerns no Holdfast lock. */
    <A> CompletionStage<A> askPlainly(Function<SimServer, ? extends A> step, A unknown) {
        Connection now = connection;
        if (now == null || closed) {
            return CompletableFuture.completedStage(unknown);
        }
        return now.<Object>send(to -> CompletableFuture.completedStage(step.apply(to)))
                .thenApply(answer -> orElse(answer, unknown));
    }

    @SuppressWarnings("unchecked") // any answer but the end of the connection is the step's result
    private static <A> A orElse(Object answer, A unknown) {
        return answer instanceof Unavailable ? unknown : (A) answer;
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        return ask(to -> CompletableFuture.completedStage(to.state(resource)));
    }

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        return CompletableFuture.completedStage(NOT_CONNECTED);
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        return CompletableFuture.completedStage(
                NodeStatus.unreachable(name(), NodeStatus.State.DOWN, NOT_CONNECTED.reason()));
    }

    @Override
    public void close() {
        Connection now = connection;
        leave();
        if (now != null) {
            now.endCalls(BROKEN);
        }
        client.linkClosed();
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends the client's side, which then neither reads nor sends. */
    void leave() {
        Connection now = connection;
        closed = true;
        connection = null;
        if (now != null) {
            now.breakOff(true);
        }
    }

    @Override
    public String toString() {
        return client + "-" + server.name();
    }
}
