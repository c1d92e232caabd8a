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
        /** The turn was released, refused or cancelled; or its client has died. */
        ENDED,
    }

    final SimClient client;
    final SharedLock lock;
    final LockMode mode;
    final Wish wish;
    final long askedNanos;

    Stage stage = Stage.ASKING;

    /** The owner id of its attempt, if it began one, or of its lease. */
    @Nullable
    Owner owner;

    /** Whether it waits for its turn with others of its client. */
    boolean inLine;

    boolean waits = true;
    long grantedNanos;
    long token;
    /** When it was asked for; that may have been before the turn was. */
    long tokenAskedNanos;
    /** The place among all grants of the lock, in true time. */
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

    /** Returns the number that identifies it in traces; -1 as long as it has asked no node itself. */
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
