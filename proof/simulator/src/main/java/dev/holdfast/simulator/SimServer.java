package dev.holdfast.simulator;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockTable;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.ServerMemory;
import dev.holdfast.testkit.ManualMachine;
import dev.holdfast.testkit.textbook.KeyAnswer;
import dev.holdfast.testkit.textbook.KeyTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node: the production {@link LockTable} on a machine of its own, with the plain keys of the textbook. Where a scenario says so, it is a
 * {@link PromisingNode} or a {@link SimCluster}.
 */
final class SimServer {

    /** The state that a node still has after a restart. */
    enum Memory {
        KEPT,
        /** All state but that of the last second, as with an append-only file that is forced to disk every second. */
        WITHOUT_THE_LAST_SECOND,
        NONE,
    }

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** The time of a failover. Within one millisecond the clock of a sole node would give the same fence again. */
    private static final long FAILOVER_NANOS = 2_000_000;

    /** The longest time after which a PostgreSQL server flushes a commit for which it did not wait. */
    private static final long UNFLUSHED_NANOS = 600_000_000;

    /** The uptime of a node that has been up for longer than any quarantine. */
    private static final long LONG_AGO_NANOS = 3_600 * NANOS_PER_SECOND;

    /** The node's state: the locks of Holdfast, the plain keys of the textbook, and the epoch key, which outlives a schedule. */
    private static final class Tables {
        final LockTable locks;
        final KeyTable keys = new KeyTable();
        String epoch = "";
        DatabaseRow row = DatabaseRow.EMPTY;

        Tables(LockTable locks) {
            this.locks = locks;
        }
    }

    /**
     * A step that a crash may undo.
     *
     * @param flushed whether the node answers a client only once the step, with all steps before it, is on its disk and on that of its synchronous
     *     standby
     */
    private record Step(long nanos, boolean flushed, Consumer<Tables> replay) {}

    private final Schedule schedule;
    private final ManualMachine machine;
    private final String name;
    private final int index;
    private final long fenceRetentionMillis;
    private final Map<String, Connection> connections = new LinkedHashMap<>();
    private final Deque<Runnable> inbox = new ArrayDeque<>();
    private final List<Step> journal = new ArrayList<>();
    private @Nullable SimDisk disk;
    private @Nullable PromisingNode promising;
    private final @Nullable SimCluster cluster;
    private Tables tables;
    private boolean up = true;
    private int starts;
    private int disks;
    private long startedNanos;
    private long endedNanos; // in true time
    private boolean wasReplica;
    private int timeline;

    SimServer(Schedule schedule, int index, ManualMachine machine, long fenceRetentionMillis) {
        this.schedule = schedule;
        this.index = index;
        this.machine = machine;
        this.name = machine.toString();
        this.fenceRetentionMillis = fenceRetentionMillis;
        this.tables = emptyTables();
        this.startedNanos = machine.timing().ticker().nanos() - LONG_AGO_NANOS;
        this.disk = switch (schedule.scenario().store()) {
            case PROMISES -> SimDisk.inUse(schedule, machine);
            case PROMISES_OF_A_NEW_SET -> SimDisk.empty(schedule, machine, ++disks);
            case REDIS, REDIS_BY_THE_SECOND, DATABASE, DATABASE_WITH_LAGGING_STANDBY, DATABASES, CLUSTER -> null;
        };
        this.cluster = schedule.scenario().store() == Scenario.Store.CLUSTER
                ? new SimCluster(schedule, name, fenceRetentionMillis, this::push, this::tellAllAvailable)
                : null;
        begin();
    }

    /** Begins a run of a node that persists its promises. */
    private void begin() {
        if (disk != null) {
            promising = new PromisingNode(this, disk, fenceRetentionMillis, this::push, this::tellAvailable);
            schedule.trace().add(name, "does not vote yet", promising.quarantineMillis(), "");
        }
    }

    /** Returns whether the node itself knows how long the votes that it has lost may last; otherwise its clients keep track of that. */
    boolean remembers() {
        return disk != null || cluster != null;
    }

    /** Returns for how long a node that persists its promises has known all of them. */
    long knownForMillis() {
        return cluster != null ? Long.MAX_VALUE : disk == null ? 0 : disk.knownForMillis();
    }

    String name() {
        return name;
    }

    int index() {
        return index;
    }

    ManualMachine machine() {
        return machine;
    }

    // ---- a PostgreSQL server

    /** Returns whether the node is a PostgreSQL server, which stores in its own tables what it may have lost. */
    boolean isDatabase() {
        return switch (schedule.scenario().store()) {
            case REDIS, REDIS_BY_THE_SECOND, PROMISES, PROMISES_OF_A_NEW_SET, CLUSTER -> false;
            case DATABASE, DATABASE_WITH_LAGGING_STANDBY, DATABASES -> true;
        };
    }

    /** Returns whether every commit waits for the standby. */
    private boolean hasSynchronousStandby() {
        Scenario.Store store = schedule.scenario().store();
        return store == Scenario.Store.DATABASE || (store == Scenario.Store.DATABASES && index % 3 == 0);
    }

    /** Returns whether a crash costs the server no commit. */
    private boolean isDurable() {
        return schedule.scenario().store() != Scenario.Store.DATABASES || index % 3 != 2;
    }

    /** Connects a client to the database. Returns the time since which the server may lack commits, by its clock; 0 if it lost nothing. */
    long connectToDatabase() {
        long nowMillis = now();
        DatabaseRow.Run run = new DatabaseRow.Run(timeline, isDurable() ? 0 : nowMillis - uptimeNanos() / 1_000_000);
        DatabaseRow row = tables.row.connected(run, hasSynchronousStandby(), nowMillis);
        if (!row.equals(tables.row)) {
            tables.row = row;
            journal.add(new Step(schedule.nanos(), true, copy -> copy.row = row));
            schedule.trace().add(name, "stores its run", row.lostAtMillis(), row);
        }
        return row.lostAtMillis();
    }

    /** Returns whether the server commits this release without a flush, as {@code holdfast.serve} decides. */
    private boolean isQuiet(ReleaseRequest request, long nowMillis) {
        return request.buryMillis() == 0
                && request.seal() == null
                && request.value() == null
                && tables.locks.inspect(request.resource(), nowMillis).waiters().isEmpty();
    }

    /** Undoes the steps that the server had not flushed when it ended. */
    private void loseUnflushed() {
        long from = endedNanos - UNFLUSHED_NANOS;
        int before = journal.size();
        while (!journal.isEmpty() && !last().flushed && last().nanos > from) {
            journal.remove(journal.size() - 1);
        }
        if (journal.size() < before) {
            loadJournal();
            schedule.trace().add(name, "has lost releases", before - journal.size(), "");
        }
    }

    private Step last() {
        return journal.get(journal.size() - 1);
    }

    /** Returns the id that distinguishes this run of the server from the one before. */
    String runId() {
        return name + "." + starts; // like a Redis server's, an id that the epoch key can contain
    }

    long uptimeNanos() {
        return machine.timing().ticker().nanos() - startedNanos;
    }

    /** Returns whether the node has been a replica in this run, which a server reports for as long as it runs. */
    boolean wasReplica() {
        return wasReplica;
    }

    /** Returns the value of the epoch key. */
    String epoch() {
        return tables.epoch;
    }

    void writeEpoch(ServerMemory.Write write) {
        if (tables.epoch.equals(write.insteadOf())) {
            tables.epoch = write.value();
            journal.add(new Step(schedule.nanos(), true, copy -> copy.epoch = write.value()));
            schedule.trace().add(name, "epoch", starts, write.value());
        }
    }

    long clockMicros() {
        return now() * 1_000;
    }

    boolean canBeReached() {
        return up && machine.runs();
    }

    boolean isUp() {
        return up;
    }

    /** Empties the tables and replays the rest of the journal. */
    private void load() {
        schedule.locks().forEach(SharedLock::mayBeForgotten);
        loadJournal();
    }

    private void loadJournal() {
        tables = emptyTables();
        journal.forEach(step -> step.replay.accept(tables));
    }

    private Tables emptyTables() {
        Tables empty = new Tables(new LockTable(fenceRetentionMillis, 0));
        if (isAlone()) {
            empty.locks.followClock();
        }
        return empty;
    }

    /** Returns whether this is the only node. The fences of a sole node follow its clock, as clients request it from a Redis server. */
    private boolean isAlone() {
        return schedule.scenario().nodes() == 1;
    }

    /** Runs a step like a Redis server, which learns from every request the time since which its votes count. */
    private <A> A on(Tables run, long countedFromMillis, Function<LockTable, A> step) {
        if (!isAlone()) {
            run.locks.restarted(countedFromMillis);
        }
        return step.apply(run.locks);
    }

    private long now() {
        return machine.timing().ticker().wallMillis();
    }

    // ---- what can happen to it

    /** Crashes the node, which breaks all its connections. */
    void crash() {
        if (promising != null) {
            promising.crash();
        }
        end();
        schedule.trace().add(name, "crashes", starts, "");
    }

    private void end() {
        up = false;
        endedNanos = schedule.nanos();
        inbox.clear();
        List.copyOf(connections.values()).forEach(connection -> connection.breakOff(false));
    }

    /** Shuts the node down cleanly; a node that persists nothing can't distinguish that from a crash. */
    void stop() {
        if (promising != null) {
            promising.stop();
        }
        end();
        schedule.trace().add(name, "is stopped", starts, "");
    }

    void start(Memory memory) {
        if (schedule.isSetDown()) {
            return;
        }
        startsNow();
        if (isDatabase()) {
            recover(memory == Memory.KEPT || isDurable() ? Memory.KEPT : Memory.WITHOUT_THE_LAST_SECOND);
            loseUnflushed();
            return;
        }
        if (remembers()) {
            schedule.locks().forEach(lock -> lock.values().mayBeForgotten());
            begin();
            return;
        }
        recover(memory);
    }

    private void recover(Memory memory) {
        if (memory != Memory.KEPT) {
            long kept = schedule.nanos() - NANOS_PER_SECOND;
            journal.removeIf(step -> memory == Memory.NONE || step.nanos > kept);
            load();
        }
        schedule.trace().add(name, "starts with memory " + memory, starts, "");
    }

    private void startsNow() {
        starts++;
        up = true;
        wasReplica = false;
        startedNanos = machine.timing().ticker().nanos();
    }

    /**
     * Promotes its replica at the same address: another run, which has been up for a long time, with the state that had been replicated by then.
     *
     * @param lagNanos how far the replica was behind when the primary ended
     */
    void startFromReplica(long lagNanos) {
        startsNow();
        wasReplica = true;
        timeline++;
        startedNanos -= LONG_AGO_NANOS;
        if (isDatabase() && hasSynchronousStandby()) {
            loseUnflushed();
            schedule.trace().add(name, "is replaced by its synchronous standby", starts, "");
            return;
        }
        journal.removeIf(step -> step.nanos > endedNanos - lagNanos);
        load();
        schedule.trace().add(name, "is replaced by its replica", starts, lagNanos);
    }

    /** Starts one of several nodes that restart in turn, with nothing: values and seals that all nodes had must survive that. */
    void startEmptyInTurn() {
        startsNow();
        journal.clear();
        schedule.locks().forEach(SharedLock::forgottenByOne);
        loadJournal();
        schedule.trace().add(name, "starts empty in turn", starts, "");
    }

    /** Loses all state while the node runs, as after FLUSHALL or a failover, which takes 2 ms. */
    void flush() {
        journal.clear();
        load();
        if (isAlone() && machine.runs()) {
            pause();
            schedule.after(FAILOVER_NANOS, this::resume);
        }
    }

    /** Pauses the node; arriving messages wait. */
    void pause() {
        machine.pause();
    }

    void resume() {
        machine.resume();
        while (!inbox.isEmpty() && machine.runs()) {
            inbox.remove().run();
        }
    }

    /** Makes the node's disk fail, if it has one: it is full, or has an error. */
    void failDisk() {
        if (disk != null) {
            disk.fail();
            schedule.trace().add(name, "can't write", starts, "");
        }
    }

    /** Replaces the disk of a node that is down, which loses all promises. */
    void loseDisk() {
        if (disk != null && !schedule.isSetDown() && !schedule.isOnlyWitness(this)) {
            replaceDisk();
        }
    }

    void replaceDisk() {
        disk = SimDisk.empty(schedule, machine, ++disks);
        schedule.locks().forEach(SharedLock::mayBeForgotten);
        schedule.trace().add(name, "has an empty disk", starts, "");
    }

    void mendDisk() {
        if (disk != null) {
            disk.mend();
            schedule.trace().add(name, "can write again", starts, "");
        }
    }

    // ---- a new set of nodes

    /**
     * The node's answer to an operator who bootstraps a new set.
     *
     * @param incarnation the number of the disk
     * @param asked whether a client has ever asked the node for a vote
     */
    record Standing(int incarnation, boolean asked) {}

    /** Returns what the node says of its disk; null if it does not answer. */
    @Nullable
    Standing standing() {
        SimDisk now = disk;
        PromisingNode node = promising;
        return now == null || node == null || !canBeReached() ? null : new Standing(now.incarnation(), node.wasAsked());
    }

    /** Returns whether the node's disk knows for certain that a client has asked for a vote. */
    boolean isWitness() {
        return disk != null && disk.knowsOfRequests();
    }

    /** Records that this disk lacks no promise. Clients learn that when they connect again. */
    void bootstrap(int incarnation) {
        if (disk == null || !canBeReached()) {
            return;
        }
        boolean isKnown = disk.knownForMillis() == Long.MAX_VALUE;
        boolean recorded = disk.bootstrap(incarnation);
        schedule.trace().add(name, recorded ? "is bootstrapped" : "is not bootstrapped", incarnation, "");
        if (recorded && !isKnown) {
            schedule.count(Count.BOOTSTRAPPED);
            List.copyOf(connections.values()).forEach(connection -> connection.breakOff(false));
        }
    }

    // ---- connections

    void connected(Connection connection) {
        connections.put(connection.client(), connection);
    }

    void disconnected(Connection connection) {
        connections.remove(connection.client(), connection);
    }

    /** Receives a request. */
    void receive(Runnable request) {
        if (machine.runs()) {
            request.run();
        } else {
            inbox.add(request);
        }
    }

    // ---- what it is asked

    /**
     * Executes ACQUIRE.
     *
     * @param countedFromMillis the time since which its votes count for the caller, by the node's clock
     */
    CompletionStage<AcquireAnswer> acquire(AcquireRequest request, long countedFromMillis) {
        if (promising != null) {
            return traced(promising.acquire(request), request);
        }
        if (cluster != null) {
            return traced(cluster.acquire(request), request);
        }
        long now = now();
        List<Push> pushes = new ArrayList<>(2);
        AcquireAnswer answer = on(tables, countedFromMillis, locks -> locks.acquire(request, now, pushes::add));
        journal.add(new Step(
                schedule.nanos(),
                answer instanceof AcquireAnswer.Granted || answer instanceof AcquireAnswer.Queued,
                copy -> on(copy, countedFromMillis, locks -> locks.acquire(request, now, push -> {}))));
        schedule.trace().add(name, "acquire", request.owner().attempt(), new Shown(request, answer));
        schedule.heard(this, request, answer);
        publish(pushes, request.owner());
        return CompletableFuture.completedStage(answer);
    }

    private CompletionStage<AcquireAnswer> traced(CompletionStage<AcquireAnswer> answered, AcquireRequest request) {
        return answered.thenApply(answer -> {
            schedule.trace().add(name, "acquire", request.owner().attempt(), new Shown(request, answer));
            schedule.heard(this, request, answer);
            return answer;
        });
    }

    private CompletionStage<ReleaseAnswer> traced(CompletionStage<ReleaseAnswer> answered, ReleaseRequest request) {
        return answered.thenApply(answer -> {
            schedule.trace().add(name, "release", request.owner().attempt(), new Shown(request, answer));
            return answer;
        });
    }

    /** Executes RELEASE; the time has the same meaning as in {@link #acquire}. */
    CompletionStage<ReleaseAnswer> release(ReleaseRequest request, long countedFromMillis) {
        if (promising != null) {
            return traced(promising.release(request), request);
        }
        if (cluster != null) {
            return traced(cluster.release(request), request);
        }
        long now = now();
        List<Push> pushes = new ArrayList<>(2);
        boolean quiet = isQuiet(request, now);
        ReleaseAnswer answer = on(tables, countedFromMillis, locks -> locks.release(request, now, pushes::add));
        journal.add(new Step(
                schedule.nanos(),
                !quiet,
                copy -> on(copy, countedFromMillis, locks -> locks.release(request, now, push -> {}))));
        schedule.trace().add(name, "release", request.owner().attempt(), new Shown(request, answer));
        publish(pushes, request.owner());
        return CompletableFuture.completedStage(answer);
    }

    /** Publishes the pushes of a request, as the client's own script does. */
    private void publish(List<Push> pushes, OwnerId by) {
        (schedule.isOld(by) ? OldVersion.published(pushes) : pushes).forEach(this::push);
    }

    private void push(Push push) {
        schedule.trace().add(name, "pushes", push.fence(), push);
        Connection connection = connections.get(push.owner().client());
        if (connection != null) {
            connection.push(push);
        }
    }

    private void tellAvailable(String client) {
        Connection connection = connections.get(client);
        if (connection != null) {
            connection.available();
        }
    }

    private void tellAllAvailable() {
        List.copyOf(connections.values()).forEach(Connection::available);
    }

    /** Returns the cluster, if this node is one. */
    Optional<SimCluster> cluster() {
        return Optional.ofNullable(cluster);
    }

    /** A question and its answer, formatted only for a reader of the trace. */
    private record Shown(Object question, Object answer) {}

    /** Runs a command on plain keys, and returns its result. */
    KeyAnswer keys(KeyStep step) {
        long now = now();
        boolean yes = step.on(tables.keys, now);
        journal.add(new Step(schedule.nanos(), true, copy -> step.on(copy.keys, now)));
        schedule.trace().add(name, "says", yes ? 1 : 0, step);
        return yes ? KeyAnswer.YES : KeyAnswer.NO;
    }

    /** A command on plain keys. */
    @FunctionalInterface
    interface KeyStep {
        boolean on(KeyTable keys, long nowMillis);
    }

    // ---- what it knows

    ResourceState state(String resource) {
        if (cluster != null) {
            return cluster.state(resource);
        }
        return promising == null ? tables.locks.inspect(resource, now()) : promising.state(resource);
    }

    boolean hasVote(String resource, OwnerId owner) {
        return state(resource).holders().stream()
                .anyMatch(holder -> holder.owner().equals(owner.toString()));
    }

    /** Returns how many resources take up memory. */
    int size() {
        if (cluster != null) {
            return cluster.size();
        }
        tables.locks.sweep(now());
        int locks = promising == null ? tables.locks.size() : promising.size();
        return locks + tables.keys.size(now());
    }
}
