package dev.holdfast.simulator;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
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
    final Wish wish;
    final long askedNanos;

    Stage stage = Stage.ASKING;

    /** What it asks under, if it began an attempt, or has the lock under. */
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

    /** Whether a holder takes its lease for valid, by its own clocks. */
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

    /** What tells it from others in traces; -1 as long as it has asked no node itself. */
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
