package dev.holdfast.testkit.sim;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.testkit.ManualMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A process: the production client on a machine of its own, with a way to each node. Sees what the client says at its nodes, and watches
 * {@link Promise#MANNERS}.
 */
final class SimClient {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long SETTLE_NANOS = 10 * NANOS_PER_MILLI;
    private static final long LOOK_FOR_SUSPENSION_NANOS = 1_500 * NANOS_PER_MILLI;

    private final Schedule schedule;
    private final ManualMachine machine;
    private final Holdfast holdfast;
    private final List<SimLink> links = new ArrayList<>();
    private final Map<Long, Turn> turns = new HashMap<>();
    private final Map<String, Long> seenTickets = new HashMap<>();
    private final Map<String, Set<OwnerId>> released = new HashMap<>();
    private @Nullable Turn beginning;
    private boolean alive = true;
    private boolean suspended;
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
                .ttl(Duration.ofMillis(load.longestTtlMillis()))
                .waiterTtl(Duration.ofMillis(load.waiterTtlMillis()))
                .fenceRetention(fenceRetention);
        if (schedule.servers().size() == 1) {
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

    /** Runs it after so long by this machine's clock, unless the process is gone by then. */
    void after(long millis, Runnable step) {
        machine.timing().scheduler().schedule(millis * NANOS_PER_MILLI, step);
    }

    // ---- what can happen to it

    void pause() {
        machine.pause();
    }

    void suspend() {
        suspended = true;
        machine.suspend();
    }

    /** It will be paused for so long at the worst moment: between a look at a lease and the write that follows. */
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

    /** Its clocks do not run together: its timers know nothing of the time by the wall clock until the client looks. */
    void stepWall(long millis) {
        machine.stepWall(Duration.ofMillis(millis));
        disturbed(LOOK_FOR_SUSPENSION_NANOS);
    }

    private void disturbed(long nanos) {
        disturbedUntilNanos = Math.max(disturbedUntilNanos, schedule.nanos() + nanos);
    }

    /** Whether it has had the time to do what was due. */
    boolean isUpToDate() {
        return alive && machine.runs() && schedule.nanos() > disturbedUntilNanos;
    }

    /** It goes on: first with what has come in, or first with what it is late for. */
    void resume() {
        if (alive) {
            machine.resume();
            disturbed(suspended ? LOOK_FOR_SUSPENSION_NANOS : SETTLE_NANOS);
            suspended = false;
            if (schedule.chance(0.5)) {
                links.forEach(SimLink::read);
            } else {
                schedule.after(schedule.latencyNanos(), () -> links.forEach(SimLink::read));
            }
        }
    }

    /** It is killed: nothing is released, its connections end. */
    void die() {
        alive = false;
        machine.pause();
        machine.timing().scheduler().close();
        turns.values().forEach(turn -> turn.lock.ended(turn));
        links.forEach(SimLink::leave);
    }

    // ---- what it says

    /** Makes the attempt that the next request belongs to this turn's. */
    void begin(Turn turn, Runnable attempt) {
        beginning = turn;
        attempt.run();
        beginning = null;
    }

    @Nullable
    Turn turn(long attempt) {
        return turns.get(attempt);
    }

    void asks(SimLink link, AcquireRequest request) {
        OwnerId owner = request.owner();
        Turn begun = beginning;
        if (begun != null) {
            begun.attempt = owner.attempt();
            turns.put(owner.attempt(), begun);
        }
        if (released(link).contains(owner)) {
            schedule.broken(Promise.MANNERS, owner + " asks " + link.name() + " after it released");
        }
        Turn turn = turns.get(owner.attempt());
        if (request.heal() && turn != null) {
            if (turn.stage == Turn.Stage.ENDED || turn.lost) {
                schedule.broken(Promise.MANNERS, turn + " is prolonged after its end");
            } else if (turn.stage == Turn.Stage.HELD && request.floor() != turn.token) {
                schedule.broken(Promise.MANNERS, turn + " is prolonged with floor " + request.floor());
            }
        }
    }

    /** Whether an attempt asks for a vote that it has to bear a larger fence. */
    boolean raises(AcquireRequest request) {
        Turn turn = turns.get(request.owner().attempt());
        return request.floor() > 0 && turn != null && turn.stage == Turn.Stage.ASKING;
    }

    void releases(SimLink link, ReleaseRequest request) {
        released(link).add(request.owner());
    }

    void hears(AcquireRequest request, AcquireAnswer answer) {
        seenTickets.merge(request.resource(), answer.latestTicketTime(), Math::max);
    }

    long seenTicket(SharedLock lock) {
        return seenTickets.getOrDefault(lock.name(), 0L);
    }

    private Set<OwnerId> released(SimLink link) {
        return released.computeIfAbsent(link.name(), name -> new HashSet<>());
    }

    @Override
    public String toString() {
        return machine.toString();
    }
}
