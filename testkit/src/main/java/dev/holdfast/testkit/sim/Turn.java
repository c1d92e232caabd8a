package dev.holdfast.testkit.sim;

import dev.holdfast.Lease;
import dev.holdfast.LockMode;
import org.jspecify.annotations.Nullable;

/** A worker's try at a lock, and the lease that comes of it. */
final class Turn {

    /** How far it has come. */
    enum Stage {
        ASKING,
        HELD,
        /** Given back, refused, cancelled; or its client has died. */
        ENDED,
    }

    final SimClient client;
    final SharedLock lock;
    final LockMode mode;
    final long ttlMillis;
    final long askedNanos;
    /** The largest token of each mode that had been granted before this was asked for. */
    final long[] tokensBefore;
    /** The latest ticket time of this lock that its client had been shown before it asked. */
    final long seenTicket;

    Stage stage = Stage.ASKING;
    long attempt = -1; // the time of its ticket, which names it
    long grantedNanos;
    long endedNanos;
    long token;
    /** The place among all grants of the lock, in true time. */
    long rank;

    Belief belief = () -> false;

    @Nullable
    Lease lease;

    boolean lost;
    /** The longest hold that was asked for; as good as none unless set. */
    long maxHoldMillis = Long.MAX_VALUE / 1_000;

    private int queuedAt; // a bit for each node that has said so
    private long queuedEverywhereNanos = Long.MAX_VALUE;

    /** Whether a holder takes its lease for valid, by its own clocks. */
    @FunctionalInterface
    interface Belief {
        boolean isHeld();
    }

    Turn(SimClient client, SharedLock lock, LockMode mode, long ttlMillis, long askedNanos) {
        this.client = client;
        this.lock = lock;
        this.mode = mode;
        this.ttlMillis = ttlMillis;
        this.askedNanos = askedNanos;
        this.tokensBefore = lock.topTokens();
        this.seenTicket = client.seenTicket(lock);
    }

    boolean isHeld() {
        return stage == Stage.HELD && belief.isHeld();
    }

    /** A node has it in its queue. */
    void queuedAt(int node, int nodes, long nanos) {
        queuedAt |= 1 << node;
        if (Integer.bitCount(queuedAt) == nodes && queuedEverywhereNanos == Long.MAX_VALUE) {
            queuedEverywhereNanos = nanos;
        }
    }

    /** Whether it stood in line at every node, with a ticket that the other's client had been shown, before the other asked. */
    boolean wasInLineBefore(Turn other) {
        return queuedEverywhereNanos < other.askedNanos && attempt <= other.seenTicket;
    }

    boolean conflictsWith(Turn other) {
        return other != this && mode.conflictsWith(other.mode);
    }

    @Override
    public String toString() {
        return client + "/" + attempt + " " + lock.name() + " " + mode + " token " + token;
    }
}
