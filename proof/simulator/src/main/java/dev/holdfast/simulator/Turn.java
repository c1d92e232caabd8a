package dev.holdfast.simulator;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import org.jspecify.annotations.Nullable;

/** An attempt of a worker to acquire a lock, and the lease that results. */
final class Turn {

    /** The progress of the turn. */
    enum Stage {
        ASKING,
        HELD,
        /** The turn was released, rejected or cancelled; or its client has died. */
        ENDED,
    }

    final SimClient client;
    final SharedLock lock;
    final LockMode mode;
    final Wish wish;
    final long askedNanos;

    Stage stage = Stage.ASKING;

    /** The owner of the turn's attempt, if the turn began one, or of its lease. */
    @Nullable
    Owner owner;

    /** Whether the turn waits in the queue of its client. */
    boolean inLine;

    boolean waits = true;
    long grantedNanos;
    long token;
    /** When the client requested the token; that may have been before the turn began. */
    long tokenAskedNanos;
    /** The position among all grants of the lock, in true time. */
    long rank;

    Belief belief = () -> false;

    @Nullable
    Lease lease;

    boolean lost;

    /** A holder's view of its lease, by its own clocks. */
    @FunctionalInterface
    interface Belief {
        boolean isHeld();
    }

    Turn(SimClient client, SharedLock lock, LockMode mode, Wish wish, long askedNanos) {
        this.client = client;
        this.lock = lock;
        this.mode = mode;
        this.wish = wish;
        this.askedNanos = askedNanos;
        this.tokenAskedNanos = askedNanos;
    }

    boolean isHeld() {
        return stage == Stage.HELD && belief.isHeld();
    }

    boolean shares() {
        return wish.shares(mode);
    }

    /** Returns the number that identifies the turn in traces; -1 as long as the turn itself has asked no node. */
    long attempt() {
        return owner == null ? -1 : owner.attempt;
    }

    boolean conflictsWith(Turn other) {
        return other != this && mode.conflictsWith(other.mode);
    }

    @Override
    public String toString() {
        return client + "/" + attempt() + " " + lock.name() + " " + mode + " token " + token;
    }
}
