package dev.holdfast.simulator;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockTable;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Unavailable;
import dev.holdfast.testkit.ManualMachine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A strict cluster, which its clients see as one node: the production {@link LockTable} at three servers behind a modelled consensus. Leaders change, the
 * other servers lag, and entries that are not committed get lost. A leader that is stalled does not notice that it was replaced, and accepts requests.
 *
 * <p>The model assumes of the engine what any consensus promises: committed entries stay, in one order. All rules of the cluster itself are modelled: at most two
 * entries under way, log time, answers and notifications after the commit. Their production code is in {@code nodes/cluster}, whose {@code ModelledLogTest}
 * plays it with simpler clients.
 */
final class SimCluster {

    private static final int SERVERS = 3;
    private static final int MOST_UNDER_WAY = 2;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** How long the servers need to commit an entry: a write to disks, and a message to another server and back. */
    private static final long QUICK_COMMIT_NANOS = 3 * NANOS_PER_MILLI;

    private static final long SLOW_COMMIT_NANOS = 80 * NANOS_PER_MILLI;
    private static final double SLOW_SHARE = 0.05;

    /** The part of an entry's time under way that counts as log time. */
    private static final long LONGEST_COMMIT_NANOS = 250 * NANOS_PER_MILLI;

    private static final long LONGEST_LAG_NANOS = 60 * NANOS_PER_MILLI;
    private static final long LONGEST_ELECTION_NANOS = 700 * NANOS_PER_MILLI;
    private static final long HAND_OVER_NANOS = 10 * NANOS_PER_MILLI;
    private static final int LARGEST_STEP_MILLIS = 3_600_000;

    private final Schedule schedule;
    private final String name;
    private final long fenceRetentionMillis;
    private final Consumer<Push> pushes;
    private final Runnable available;
    private final List<Entry> committed = new ArrayList<>();
    private final List<Replica> replicas;
    private @Nullable Replica leader; // null during an election

    /** An operation of a client. */
    @FunctionalInterface
    private interface Operation {
        Object on(LockTable table, long now, Consumer<Push> pushes);
    }

    private record Request(Operation operation, CompletableFuture<Object> answer) {}

    /** An entry of the log: all operations that waited when it left, and their time. */
    private static final class Entry {

        final long millis;
        final List<Request> requests;

        Entry(long millis, List<Request> requests) {
            this.millis = millis;
            this.requests = requests;
        }
    }

    /**
     * Starts the servers.
     *
     * @param pushes receives the notifications for clients
     * @param available notifies all clients that a server leads
     */
    SimCluster(Schedule schedule, String name, long fenceRetentionMillis, Consumer<Push> pushes, Runnable available) {
        this.schedule = schedule;
        this.name = name;
        this.fenceRetentionMillis = fenceRetentionMillis;
        this.pushes = pushes;
        this.available = available;
        this.replicas = IntStream.range(0, SERVERS).mapToObj(Replica::new).toList();
        this.leader = replicas.get(0);
        replicas.get(0).takeOffice();
    }

    // ---- what clients ask

    @SuppressWarnings("unchecked") // Unavailable is an answer to every kind of request
    CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        return (CompletionStage<AcquireAnswer>)
                (CompletionStage<?>) propose((table, now, told) -> table.acquire(request, now, told));
    }

    @SuppressWarnings("unchecked")
    CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        return (CompletionStage<ReleaseAnswer>)
                (CompletionStage<?>) propose((table, now, told) -> table.release(request, now, told));
    }

    /** Sends an operation to the server that the client takes for the leader. */
    private CompletionStage<Object> propose(Operation operation) {
        List<Replica> leading =
                replicas.stream().filter(replica -> replica.leads).toList();
        if (leading.isEmpty()) {
            return CompletableFuture.completedStage(new Unavailable("the cluster has no leader", false));
        }
        Request request = new Request(operation, new CompletableFuture<>());
        schedule.any(leading).accept(request);
        return request.answer;
    }

    /** Returns the state as of the last applied entry, since a query at any other time would make the servers differ. */
    ResourceState state(String resource) {
        Replica best = best();
        return best.table.inspect(resource, best.millis);
    }

    private Replica best() {
        Replica now = leader;
        return now == null ? replicas.get(0) : now;
    }

    /** Returns how many resources take up memory, after the leader has proposed a sweep. */
    int size() {
        Replica now = best();
        commit(new Entry(now.logMillis(), List.of(new Request(SimCluster::sweep, new CompletableFuture<>()))));
        now.catchUp(committed.size());
        return now.table.size();
    }

    private static Object sweep(LockTable table, long now, Consumer<Push> told) {
        table.dropUnused(now);
        return table.size();
    }

    /** Checks that all servers have the same state once they have applied the same entries. */
    void checkReplicas() {
        replicas.forEach(replica -> replica.catchUp(committed.size()));
        for (SharedLock lock : schedule.locks()) {
            ResourceState state = state(lock.name());
            for (Replica replica : replicas) {
                ResourceState its = replica.table.inspect(lock.name(), replica.millis);
                if (!its.equals(state)) {
                    schedule.broken(Promise.REPLICAS_AGREE, replica.machine + " has " + its + " instead of " + state);
                }
            }
        }
    }

    private void commit(Entry entry) {
        committed.add(entry);
        int end = committed.size();
        for (Replica replica : replicas) {
            schedule.after(schedule.random().nextLong(LONGEST_LAG_NANOS), () -> replica.follow(end));
        }
    }

    // ---- what can happen to it

    /** Kills the leader, and another server is elected. Its successor commits the first entries under way, perhaps none; the others are lost. */
    void killLeader() {
        Replica former = leader;
        if (former != null) {
            endTerm(former, schedule.random().nextLong(LONGEST_ELECTION_NANOS));
            former.restart();
            former.giveUp();
        }
    }

    /** Stalls the leader. The others elect another one, and the former leader accepts requests until it learns that. */
    void stallLeader(long millis) {
        Replica former = leader;
        if (former != null) {
            endTerm(former, schedule.random().nextLong(LONGEST_ELECTION_NANOS));
            former.stalled = true;
            schedule.lasting(millis, () -> {
                former.stalled = false;
                schedule.after(schedule.random().nextLong(LONGEST_LAG_NANOS), former::learn);
            });
        }
    }

    /** Keeps the leader from committing anything, as a slow disk does. It keeps the lead. */
    void stallLog(long millis) {
        Replica now = leader;
        if (now != null) {
            now.logStalls = true;
            schedule.lasting(millis, () -> {
                now.logStalls = false;
                if (leader == now) {
                    now.commitTo(now.underWay.peekLast());
                }
            });
        }
    }

    /** Makes the leader hand the lead over, as it does before it stops: nothing is under way at that moment. */
    void handOver() {
        Replica former = leader;
        if (former != null) {
            former.leads = false; // it proposes no more
            former.commitTo(former.underWay.peekLast());
            former.giveUp();
            endTerm(former, schedule.random().nextLong(HAND_OVER_NANOS));
        }
    }

    /** Restarts a server that does not lead. It reads the log again. */
    void restartFollower() {
        Replica any = schedule.any(replicas);
        if (!any.leads) {
            any.restart();
        }
    }

    /** Sets the wall clock of a server. */
    void stepWall() {
        Replica any = schedule.any(replicas);
        any.machine.stepWall(
                Duration.ofMillis(schedule.random().nextInt(2 * LARGEST_STEP_MILLIS) - (long) LARGEST_STEP_MILLIS));
        schedule.trace().add(any.machine.toString(), "steps its wall clock", 0, "");
    }

    private void endTerm(Replica former, long electionNanos) {
        leader = null;
        schedule.count(Count.LEADER_CHANGES);
        schedule.trace().add(former.machine.toString(), "leads no more", electionNanos, "");
        former.underWay.stream()
                .limit(schedule.random().nextInt(former.underWay.size() + 1))
                .forEach(this::commit); // a majority had them
        schedule.after(electionNanos, () -> elect(former));
    }

    private void elect(Replica former) {
        List<Replica> candidates = replicas.stream()
                .filter(replica -> !replica.stalled && (replica != former || schedule.chance(0.2)))
                .toList();
        Replica next = schedule.any(candidates.isEmpty() ? replicas : candidates);
        next.giveUp();
        leader = next;
        next.catchUp(committed.size());
        next.takeOffice();
        available.run();
    }

    /** One server. */
    private final class Replica {

        final ManualMachine machine;
        LockTable table = new LockTable(fenceRetentionMillis, 0);
        long millis; // the time of the last applied entry
        int applied;
        boolean leads; // as far as it knows itself
        boolean stalled;
        boolean logStalls;
        long startMillis; // the log time of its term
        long startNanos;
        long waitsSinceNanos; // for the first entry under way
        List<Request> waiting = new ArrayList<>();
        Deque<Entry> underWay = new ArrayDeque<>();

        Replica(int number) {
            machine = schedule.machine(
                    name + (number + 1), schedule.scenario().clocks().nodeSkewMillis());
        }

        /** Begins a term: its log time starts at the time of the last entry, and follows the monotonic clock. */
        void takeOffice() {
            leads = true;
            stalled = false;
            startMillis = millis == 0 ? machine.timing().ticker().wallMillis() : millis;
            startNanos = clockNanos();
            schedule.trace().add(machine.toString(), "leads", startMillis, "");
        }

        private long clockNanos() {
            return machine.timing().ticker().nanos();
        }

        /** Returns the log time. It stands still while an entry is under way for too long. */
        long logMillis() {
            long elapsed = clockNanos() - startNanos - (underWay.isEmpty() ? 0 : stoodStillNanos());
            return startMillis + Math.max(elapsed, 0) / NANOS_PER_MILLI;
        }

        private long stoodStillNanos() {
            return Math.max(clockNanos() - waitsSinceNanos - LONGEST_COMMIT_NANOS, 0);
        }

        void accept(Request request) {
            waiting.add(request);
            next();
        }

        /** Proposes the next entry, unless two are under way. The production is stricter: only a small entry has another one beside it. */
        private void next() {
            if (leads && underWay.size() < MOST_UNDER_WAY && !waiting.isEmpty()) {
                Entry entry = new Entry(logMillis(), waiting);
                waiting = new ArrayList<>();
                waitsSinceNanos = underWay.isEmpty() ? clockNanos() : waitsSinceNanos;
                underWay.add(entry);
                long longest = schedule.chance(SLOW_SHARE) ? SLOW_COMMIT_NANOS : QUICK_COMMIT_NANOS;
                schedule.after(schedule.random().nextLong(longest), () -> {
                    if (leader == this && !logStalls && underWay.contains(entry)) {
                        commitTo(entry);
                    }
                });
            }
        }

        /** Commits this entry, and those before it; nothing without an entry. */
        void commitTo(@Nullable Entry last) {
            Entry entry = null;
            while (entry != last) {
                entry = underWay.remove();
                startNanos += stoodStillNanos();
                waitsSinceNanos = clockNanos();
                commit(entry);
                List<Push> told = new ArrayList<>();
                List<Object> answers = apply(entry, told::add);
                next();
                told.forEach(pushes);
                for (int i = 0; i < answers.size(); i++) {
                    entry.requests.get(i).answer.complete(answers.get(i));
                }
            }
        }

        private List<Object> apply(Entry entry, Consumer<Push> told) {
            millis = Math.max(millis, entry.millis);
            applied++;
            List<Object> answers = new ArrayList<>(entry.requests.size());
            for (Request request : entry.requests) {
                answers.add(request.operation.on(table, millis, told));
            }
            return answers;
        }

        /** Applies the entries up to this one, if it follows. A server that leads has done so when it committed them. */
        void follow(int end) {
            if (!leads && !stalled) {
                catchUp(end);
            }
        }

        /** Applies entries without notifying clients: the server that leads does that. */
        void catchUp(int end) {
            while (applied < end) {
                apply(committed.get(applied), push -> {});
            }
        }

        /** Learns that another server leads. */
        void learn() {
            if (leader != this && !stalled) {
                giveUp();
            }
        }

        /** Refuses what waits, and what is under way: its successor may still commit that. */
        void giveUp() {
            leads = false;
            Deque<Entry> open = underWay;
            underWay = new ArrayDeque<>();
            List<Request> refused = waiting;
            waiting = new ArrayList<>();
            refused.forEach(request -> request.answer.complete(new Unavailable("another server leads", false)));
            open.forEach(entry -> entry.requests.forEach(
                    request -> request.answer.complete(new Unavailable("the leader has changed", true))));
        }

        /** Restarts with its log only. */
        void restart() {
            table = new LockTable(fenceRetentionMillis, 0);
            millis = 0;
            applied = 0;
            schedule.trace().add(machine.toString(), "restarts", committed.size(), "");
        }
    }
}
