package dev.holdfast.simulator;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.SealedWork;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The true state of a lock, which no client can see: its waiters, its holders, and the resource behind it, once with a check of tokens
 * and once without. Watches {@link Promise#ONE_HOLDER}, {@link Promise#TOKENS_RISE}, {@link Promise#NO_STALE_WRITE} and {@link
 * Promise#IN_ORDER}.
 */
final class SharedLock {

    private static final LockMode[] MODES = LockMode.values();

    /** The time within which the reactions to received messages arrive, if nothing is wrong. */
    private static final long SETTLE_NANOS = 20_000_000;

    private final Schedule schedule;
    private final String name;
    private final Set<Turn> asking = new LinkedHashSet<>();
    private final List<Turn> holding = new ArrayList<>();
    private final long[] topToken = new long[MODES.length];
    private final Map<Long, Map<LockMode, Turn>> byToken = new HashMap<>();
    private final Store open = new Store();
    private final Store guarded = new Store();
    private final Values values;
    private final Seals seals;
    private long stirredNanos = Long.MIN_VALUE / 2;
    private long disturbedNanos = Long.MIN_VALUE;
    private long guard;
    private long grants;
    private long lastEndedNanos;

    SharedLock(Schedule schedule, String name) {
        this.schedule = schedule;
        this.name = name;
        this.values = new Values(schedule);
        this.seals = new Seals(schedule);
    }

    String name() {
        return name;
    }

    Values values() {
        return values;
    }

    Seals seals() {
        return seals;
    }

    /** Notes that one node has lost its state. No other node has lost any since all nodes received the current state. */
    void forgottenByOne() {
        values.forgottenByOne();
        seals.forgottenByOne();
    }

    // ---- use that stores the current state at all nodes

    private void stirs() {
        long now = schedule.nanos();
        if (!asking.isEmpty() || !holding.isEmpty() || now - stirredNanos < SETTLE_NANOS) {
            disturbedNanos = now;
        }
        stirredNanos = now;
    }

    /** Notes that a holder is about to release. If no other turn used the lock and all nodes voted, all of them keep the value now. */
    void use(Turn turn) {
        if (turn.mode.mayWrite()
                && turn.isHeld()
                && disturbedNanos < turn.askedNanos
                && schedule.doAllVoteSince(turn.askedNanos)) {
            onceSettled(values::areKeptByAll);
        }
    }

    /**
     * Notes that a turn was rejected because the work is done: all nodes have the seal now. A sole node must not lose a seal that it has reported.
     */
    void foundSealed(Turn turn, SealedWork seal) {
        if (schedule.scenario().nodes() == 1 && schedule.scenario().isPromising()) {
            seals.found(seal);
        }
        if (seals.isOlderThan(turn.askedNanos) && schedule.areAllReachedSince(turn.askedNanos)) {
            onceSettled(seals::areKeptByAll);
        }
    }

    /** Runs a step once messages have arrived, unless a node restarts first. */
    private void onceSettled(Runnable step) {
        int restarts = schedule.restarts();
        schedule.after(SETTLE_NANOS, () -> {
            if (restarts == schedule.restarts()) {
                step.run();
            }
        });
    }

    /** Notes that a node has lost its state, or a part of it. */
    void mayBeForgotten() {
        values.mayBeForgotten();
        seals.mayBeForgotten();
    }

    long[] topTokens() {
        return topToken.clone();
    }

    Set<Turn> asking() {
        return asking;
    }

    List<Turn> holding() {
        return holding;
    }

    void asks(Turn turn) {
        stirs();
        asking.add(turn);
    }

    // ---- a lease begins and ends

    void granted(Turn turn) {
        checkLocalOrder(turn);
        asking.remove(turn);
        turn.stage = Turn.Stage.HELD;
        turn.grantedNanos = schedule.nanos();
        turn.rank = ++grants;
        schedule.count(Count.ACQUISITIONS);
        checkAlone(turn);
        seals.granted(turn);
        if (turn.owner != null) {
            turn.owner.has(turn);
        }
        if (turn.token > 0) {
            checkToken(turn, Objects.requireNonNull(turn.owner).block(turn));
            topToken[turn.mode.ordinal()] = Math.max(topToken[turn.mode.ordinal()], turn.token);
        }
        checkOrder(turn);
        holding.add(turn);
    }

    void ended(Turn turn) {
        if (turn.stage != Turn.Stage.ENDED) {
            boolean held = turn.stage == Turn.Stage.HELD;
            turn.stage = Turn.Stage.ENDED;
            asking.remove(turn);
            holding.remove(turn);
            stirredNanos = schedule.nanos();
            if (held) {
                lastEndedNanos = schedule.nanos();
            } else if (turn.inLine && turn.owner != null && !turn.owner.isWon()) {
                passOn(turn.owner);
            }
        }
    }

    /** Ends all turns of a client that has died. */
    void end(SimClient client) {
        for (Turn turn : List.copyOf(asking)) {
            if (turn.client == client) {
                ended(turn);
            }
        }
        for (Turn turn : List.copyOf(holding)) {
            if (turn.client == client) {
                ended(turn);
            }
        }
    }

    /** Passes the attempt on to the next turn in the queue. */
    private void passOn(Owner attempt) {
        Turn next = firstInLine(attempt.client);
        if (next != null && next.owner == null) {
            next.owner = attempt;
        }
    }

    /** Returns the turn that has waited longest in the queue of that client. */
    @Nullable
    Turn firstInLine(SimClient client) {
        for (Turn turn : asking) {
            if (turn.client == client && turn.inLine) {
                return turn;
            }
        }
        return null;
    }

    long lastEndedNanos() {
        return lastEndedNanos;
    }

    private void checkLocalOrder(Turn turn) {
        if (!turn.inLine) {
            return;
        }
        for (Turn before : asking) {
            if (before == turn) {
                return;
            }
            if (before.inLine && before.waits && before.client == turn.client) {
                schedule.broken(Promise.LOCAL_ORDER, turn + " overtook " + before + " of the same client");
            }
        }
    }

    private void checkAlone(Turn turn) {
        for (Turn other : holding) {
            if (turn.conflictsWith(other) && other.isHeld() && turn.isHeld()) {
                schedule.count(Count.DOUBLE_HOLDERS);
                if (!turn.client.isBehind() && !other.client.isBehind()) {
                    schedule.broken(Promise.ONE_HOLDER, turn + " was granted while " + other + " is held");
                }
                return;
            }
        }
    }

    /**
     * Checks the token of a lease. If two leases may be held at once, the token must be larger only than those of turns that had ended
     * before the client requested it.
     */
    private void checkToken(Turn turn, Owner.Block block) {
        boolean alone = schedule.scenario().isOneHolderCertain();
        for (LockMode mode : MODES) {
            long before = (alone ? topToken : block.tokensBefore)[mode.ordinal()];
            if (mode.conflictsWith(turn.mode) && before >= turn.token) {
                schedule.broken(Promise.TOKENS_RISE, turn + " came after " + before + " in mode " + mode);
            }
        }
        turn.tokenAskedNanos = alone ? turn.askedNanos : block.askedNanos;
        Map<LockMode, Turn> same = byToken.computeIfAbsent(turn.token, token -> new EnumMap<>(LockMode.class));
        for (Turn other : same.values()) {
            if (turn.conflictsWith(other)) {
                schedule.broken(Promise.TOKENS_RISE, turn + " has the same token as " + other);
            }
        }
        same.put(turn.mode, turn);
    }

    private void checkOrder(Turn turn) {
        if (!schedule.scenario().promises(Promise.IN_ORDER)) {
            return;
        }
        Owner owner = turn.owner;
        for (Turn waiting : asking) {
            Owner other = waiting.owner;
            if (turn.conflictsWith(waiting)
                    && owner != null
                    && other != null
                    && other != owner
                    && other.wasInLineBefore(owner)) {
                schedule.broken(
                        Promise.IN_ORDER, turn + " overtook " + waiting + ", which was in the queue before it asked");
            }
        }
    }

    // ---- the resource behind it

    /** Receives a write that the holder sent while it believed that it held the lock. */
    void write(Turn turn) {
        schedule.count(Count.WRITES);
        if (open.isAfterALaterOne(turn)) {
            schedule.count(Count.STALE_WRITES);
        }
        open.write(turn);
        if (turn.token < guard) {
            schedule.count(Count.REFUSED_WRITES);
            return;
        }
        guard = turn.token;
        if (guarded.isAfterOneAskedForLater(turn)) {
            schedule.count(Count.STALE_WRITES_PAST_THE_TOKEN);
            schedule.broken(Promise.NO_STALE_WRITE, turn + " wrote after a later holder");
        }
        guarded.write(turn);
    }

    /** The accepted writes, by the mode of their writers. */
    private static final class Store {

        private final long[] lastRank = new long[MODES.length];
        private final long[] lastAsked = new long[MODES.length];

        void write(Turn turn) {
            int mode = turn.mode.ordinal();
            lastRank[mode] = Math.max(lastRank[mode], turn.rank);
            lastAsked[mode] = Math.max(lastAsked[mode], turn.tokenAskedNanos);
        }

        boolean isAfterALaterOne(Turn turn) {
            return anyConflicting(turn, lastRank, turn.rank);
        }

        boolean isAfterOneAskedForLater(Turn turn) {
            return anyConflicting(turn, lastAsked, turn.grantedNanos);
        }

        private static boolean anyConflicting(Turn turn, long[] last, long limit) {
            for (LockMode mode : MODES) {
                if (mode.conflictsWith(turn.mode) && last[mode.ordinal()] > limit) {
                    return true;
                }
            }
            return false;
        }
    }
}
