package dev.holdfast.simulator;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.observe.RequestObserver;
import dev.holdfast.testkit.ManualMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A process: the production client on a machine of its own, with a link to each node. This class sees the client's requests at the
 * nodes, and watches {@link Promise#MANNERS}.
 */
final class SimClient {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LONGEST_END_NANOS = 3_000 * NANOS_PER_MILLI;
    private static final long UNCOUNTED_NANOS = 30 * NANOS_PER_MILLI;
    private static final long SETTLE_NANOS = 10 * NANOS_PER_MILLI;
    private static final long LOOK_FOR_SUSPENSION_NANOS = 1_500 * NANOS_PER_MILLI;

    private final Schedule schedule;
    private final ManualMachine machine;
    private final Holdfast holdfast;
    private final List<SimLink> links = new ArrayList<>();
    private final Map<Long, Owner> owners = new HashMap<>();
    private final Map<SharedLock, Owner> shared = new LinkedHashMap<>();
    private final boolean old;
    private final double handedOn;
    private final long lingerMillis;
    private final Wish common;
    private final Map<Long, String> awaited = new LinkedHashMap<>();
    private long awaitedMade;
    private final Map<String, Long> seenTickets = new HashMap<>();
    private final Map<String, Set<OwnerId>> released = new HashMap<>();
    private boolean closing;
    private @Nullable Turn beginning;
    private boolean alive = true;
    private boolean suspended;
    private boolean frozen;
    private long frozenNanos;
    private long behindUntilNanos;
    private long pauseBeforeWriteMillis;
    private long disturbedUntilNanos;

    SimClient(Schedule schedule, ManualMachine machine, Duration fenceRetention) {
        this.schedule = schedule;
        this.machine = machine;
        Scenario.Load load = schedule.scenario().load();
        HoldfastBuilder builder = Holdfast.builder()
                .clientName(machine.toString())
                .timing(machine.timing())
                .keyPrefix("")
                .lockOptions(options -> options.ttl(Duration.ofMillis(load.longestTtlMillis()))
                        .waiterTtl(Duration.ofMillis(load.waiterTtlMillis())))
                .fenceRetention(fenceRetention);
        if (load.kind() == Scenario.Kind.CLOSING) {
            builder.observer(new Closer());
        }
        this.old =
                load.kind() == Scenario.Kind.TWO_VERSIONS && schedule.random().nextBoolean();
        boolean oneNode = schedule.servers().size() == 1;
        boolean anyTtl = !schedule.hasTtlPerLock() && !schedule.scenario().isRolling();
        if (oneNode || old || (anyTtl && schedule.scenario().promises(Promise.ONE_HOLDER))) {
            builder.restartQuarantine(Duration.ofMillis(load.longestTtlMillis()));
        }
        for (SimServer server : schedule.servers()) {
            builder.node(context -> {
                SimLink link = new SimLink(schedule, this, server, context);
                links.add(link);
                return link;
            });
        }
        this.holdfast = builder.build();
        this.handedOn = schedule.any(load.handOver().shares());
        this.lingerMillis = schedule.any(load.handOver().lingerMillis());
        this.common = Wish.shared(schedule, lingerMillis);
    }

    Holdfast holdfast() {
        return holdfast;
    }

    ManualMachine machine() {
        return machine;
    }

    List<SimLink> links() {
        return links;
    }

    boolean isAlive() {
        return alive;
    }

    /** Returns whether it behaves as a client of the {@linkplain OldVersion first version}. */
    boolean isOld() {
        return old;
    }

    /** Returns whether this is the owner id of a lease, current or ended. */
    boolean hasLease(OwnerId owner) {
        Owner known = owners.get(owner.attempt());
        return known != null && known.isWon();
    }

    /** Runs a step after a delay by this machine's clock, unless the process has ended by then. */
    void after(long millis, Runnable step) {
        machine.timing().scheduler().schedule(millis * NANOS_PER_MILLI, step);
    }

    // ---- what its turns want

    /** Returns a wish. Most turns that share a lease have the same wish, because only such turns can share it. */
    Wish wish() {
        if (!schedule.chance(handedOn)) {
            return Wish.alone(schedule);
        }
        return schedule.chance(0.95) ? common : Wish.shared(schedule, lingerMillis);
    }

    long lingerMillis() {
        return lingerMillis;
    }

    // ---- what can happen to it

    void pause() {
        machine.pause();
    }

    void suspend() {
        suspended = true;
        machine.suspend();
    }

    /** Freezes its machine, clocks and all. */
    void freeze() {
        frozenNanos = frozen ? frozenNanos : schedule.nanos();
        frozen = true;
        schedule.trace().add(toString(), "is frozen", 0, "");
        machine.freeze();
    }

    /** Returns whether the client is frozen, or was, and has not yet had the time to notice the freeze by the nodes' clocks (PROTOCOL §5). */
    boolean isBehind() {
        return frozen || schedule.nanos() < behindUntilNanos;
    }

    /** Checks whether the client is behind: it needs two nodes to distinguish its own freeze from a step of a node's clock at once. */
    void checkBehind() {
        if (isBehind()) {
            long nodes = links.stream()
                    .filter(link -> link.tellsTimeSince(frozenNanos))
                    .count();
            if (!machine.runs() || nodes < Math.min(links.size(), 2)) {
                behindUntilNanos = schedule.nanos() + noticeNanos();
            }
        }
    }

    /**
     * Returns the longest time to notice a freeze: from one look at the nodes' clocks to the next, and until all nodes have shown whose clock
     * stepped.
     */
    private long noticeNanos() {
        Scenario scenario = schedule.scenario();
        long look = NANOS_PER_MILLI * scenario.load().longestTtlMillis() / SimLink.LOOKS_PER_TTL;
        return look + NANOS_PER_MILLI * 4 * scenario.network().slowMillis() + 2 * SETTLE_NANOS;
    }

    /** Plans a pause at the worst moment: between the check of a lease and the write that follows. */
    void pauseBeforeAWrite(long millis) {
        pauseBeforeWriteMillis = millis;
    }

    void mayPauseNow() {
        long millis = pauseBeforeWriteMillis;
        if (millis > 0) {
            pauseBeforeWriteMillis = 0;
            pause();
            schedule.lasting(millis, this::resume);
        }
    }

    /** Sets the client's wall clock, but not its monotonic clock: its timers do not notice the step until the client looks. */
    void stepWall(long millis) {
        schedule.trace().add(toString(), "sets its wall clock", millis, "");
        machine.stepWall(Duration.ofMillis(millis));
        disturbed(LOOK_FOR_SUSPENSION_NANOS);
    }

    private void disturbed(long nanos) {
        disturbedUntilNanos = Math.max(disturbedUntilNanos, schedule.nanos() + nanos);
    }

    /** Returns whether the client has had the time to run the steps that were due. */
    boolean isUpToDate() {
        return alive && machine.runs() && schedule.nanos() > disturbedUntilNanos;
    }

    /** Resumes the client, which begins either with the messages that arrived or with its overdue steps. */
    void resume() {
        if (alive) {
            machine.resume();
            disturbed(suspended || frozen ? LOOK_FOR_SUSPENSION_NANOS : SETTLE_NANOS);
            suspended = false;
            if (frozen) {
                frozen = false;
                schedule.trace().add(toString(), "goes on", 0, "");
                behindUntilNanos = schedule.nanos() + noticeNanos();
            }
            if (schedule.chance(0.5)) {
                links.forEach(SimLink::read);
            } else {
                schedule.after(schedule.latencyNanos(), () -> links.forEach(SimLink::read));
            }
        }
    }

    /** Notes that a caller waits for this stage, which must end when the client does. */
    void awaits(CompletableFuture<?> stage, String what) {
        if (!stage.isDone()) {
            long number = ++awaitedMade;
            awaited.put(number, what);
            stage.whenComplete((value, failure) -> awaited.remove(number));
        }
    }

    /** Notes that a caller waits for this stage, which must end soon even if the client goes on. */
    void awaitsSoon(CompletableFuture<?> stage, String what) {
        awaits(stage, what);
        schedule.after(LONGEST_END_NANOS, () -> {
            if (alive && !stage.isDone()) {
                schedule.broken(Promise.ENDED, what + " is awaited though it was requested a long time ago");
            }
        });
    }

    /** Closes the client at its next request, in the middle of a step. */
    void close() {
        closing = true;
    }

    /** An observer that closes the client from a callback, where it must not block; after that, awaited stages have to end. */
    private final class Closer implements ClientObserver {

        @Override
        public RequestObserver request(String node, NodeOperation operation) {
            if (closing) {
                closing = false;
                holdfast().close();
                schedule.after(LONGEST_END_NANOS, SimClient.this::checkEnded);
            }
            return RequestObserver.NONE;
        }
    }

    /** Notes that a link to a node has closed. With the last link, the client's timers end, as they do for a client with its own timer. */
    void linkClosed() {
        if (links.stream().allMatch(SimLink::isClosed)) {
            machine.timing().scheduler().close();
        }
    }

    /** Checks that no caller still waits for the client, a while after the close. */
    void checkEnded() {
        if (alive) {
            awaited.values().stream()
                    .findFirst()
                    .ifPresent(what -> schedule.broken(
                            Promise.ENDED, what + " is awaited though " + this + " has been closed for a long time"));
            schedule.replace(this);
        }
    }

    /** Kills it: it releases nothing, and its connections end. */
    void die() {
        alive = false;
        machine.pause();
        machine.timing().scheduler().close();
        schedule.locks().forEach(lock -> lock.end(this));
        links.forEach(SimLink::leave);
    }

    // ---- its requests

    /** Assigns the attempt that begins now to this turn; if none begins, the turn joins the queue. */
    void begin(Turn turn, Runnable attempt) {
        beginning = turn;
        attempt.run();
        beginning = null;
        turn.inLine |= turn.shares() && turn.owner == null;
    }

    @Nullable
    Owner owner(long attempt) {
        return owners.get(attempt);
    }

    /** Returns the latest attempt of the turns that share this lock, or the lease of that attempt. */
    @Nullable
    Owner shared(SharedLock lock) {
        return shared.get(lock);
    }

    /** Begins an attempt for the turn that requests the lock now, or for the first turn in the queue. */
    private Owner begun(AcquireRequest request) {
        SharedLock lock = schedule.lock(request.resource());
        Turn asking = beginning;
        boolean sharing = asking == null || (asking.shares() && !isInUse(lock));
        Owner made = new Owner(schedule, this, lock, request, sharing);
        owners.put(made.attempt, made);
        Turn first = asking == null ? lock.firstInLine(this) : asking;
        if (first != null) {
            first.owner = made;
            first.inLine = sharing;
        }
        if (sharing) {
            shared.put(lock, made);
        }
        return made;
    }

    /** Returns whether turns of this client share the lock, or its attempt. A turn with another wish then makes its own attempt. */
    private boolean isInUse(SharedLock lock) {
        Owner latest = shared.get(lock);
        if (latest == null) {
            return false;
        }
        return latest.isWon() ? !latest.isReleased() : lock.firstInLine(this) != null;
    }

    void checkLingering() {
        shared.values().forEach(Owner::checkLingering);
    }

    /** Returns what this client knows of an owner; null for another client's, whose lease it has adopted. */
    private @Nullable Owner own(OwnerId owner) {
        return owner.client().equals(holdfast.client()) ? owners.get(owner.attempt()) : null;
    }

    void asks(SimLink link, AcquireRequest request) {
        OwnerId owner = request.owner();
        if (!owner.client().equals(holdfast.client())) {
            return;
        }
        if (released(link).contains(owner)) {
            schedule.broken(Promise.MANNERS, owner + " asks " + link.name() + " after it released");
        }
        Owner known = owners.get(owner.attempt());
        if (known == null) {
            begun(request);
        } else {
            known.asks(link.server().index(), request);
        }
    }

    /** Returns whether the request raises the fence of a vote that its owner already has, for an attempt or for more tokens. */
    boolean raises(AcquireRequest request) {
        Owner known = own(request.owner());
        return request.floor() > 0 && known != null && !(known.isWon() && request.heal());
    }

    void releases(SimLink link, ReleaseRequest request) {
        released(link).add(request.owner());
        Owner known = own(request.owner());
        if (known != null) {
            known.releases(link.server().index(), request.owner().round());
        }
    }

    void hears(AcquireRequest request, AcquireAnswer answer) {
        seenTickets.merge(request.resource(), answer.latestTicketTime(), Math::max);
        Owner known = own(request.owner());
        if (known != null) {
            known.hearsOfATtl(answer.longestTtlMillis());
        }
        if (known != null && answer instanceof AcquireAnswer.Granted granted && granted.contender() != null) {
            known.hearsOfAWaiter(request);
        }
    }

    /** Notes a push. One about a vote that the client has released, as in an earlier round, says nothing about its lease. */
    void hears(SimLink link, Push push) {
        Owner known = own(push.owner());
        boolean stale = released(link).contains(push.owner());
        if (known != null && push instanceof Push.Contended && !stale) {
            known.hearsOfAWaiter();
        }
    }

    long seenTicket(SharedLock lock) {
        return seenTickets.getOrDefault(lock.name(), 0L);
    }

    /** Checks that no attempt keeps a vote or a position in the queue at a node that the client does not count. */
    void checkUncounted() {
        if (isUpToDate() && schedule.scenario().promises(Promise.NO_BLOCKING)) {
            links.forEach(this::checkUncounted);
        }
    }

    private void checkUncounted(SimLink link) {
        for (SharedLock lock : schedule.locks()) {
            ResourceState state = link.server().state(lock.name());
            state.holders().forEach(holder -> checkCounted(link, holder.owner()));
            state.waiters().forEach(waiter -> checkCounted(link, waiter.owner()));
        }
    }

    private void checkCounted(SimLink link, String id) {
        OwnerId owner = OwnerId.parse(id).orElseThrow();
        Owner known = owner.client().equals(holdfast.client()) ? owners.get(owner.attempt()) : null;
        if (known != null
                && !known.isWon()
                && !released(link).contains(owner)
                && link.hasNotCounted(owner, known.longestTtlMillis(), UNCOUNTED_NANOS)) {
            schedule.broken(
                    Promise.NO_BLOCKING, known + " keeps its place at " + link.name() + ", which does not count");
        }
    }

    private Set<OwnerId> released(SimLink link) {
        return released.computeIfAbsent(link.name(), name -> new HashSet<>());
    }

    @Override
    public String toString() {
        return machine.toString();
    }
}
