package dev.holdfast.internal.election;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** The candidacies of one client, which end with it. Thread-safe. */
public final class Candidacies {

    private final Set<LockCandidacy> standing = ConcurrentHashMap.newKeySet();
    private final BooleanSupplier mustNotWait;
    private volatile boolean over;

    /**
     * Makes the candidacies of one client.
     *
     * @param mustNotWait whether the calling thread must not wait for the nodes, since their answers may come on it
     */
    public Candidacies(BooleanSupplier mustNotWait) {
        this.mustNotWait = mustNotWait;
    }

    /** Returns whether the calling thread may wait for the end of a candidacy. */
    boolean mayWait() {
        return !mustNotWait.getAsBoolean();
    }

    /** Adds a candidacy. If the client ends at the same time, either {@link #close} or this method ends the candidacy. */
    void add(LockCandidacy candidacy) {
        standing.add(candidacy);
        if (over) {
            candidacy.clientEnded();
        }
    }

    void remove(LockCandidacy candidacy) {
        standing.remove(candidacy);
    }

    /** Closes all candidacies; the future completes when no candidate of this client leads any more. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.allOf(
                standing.stream().map(LockCandidacy::startClose).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Ends all candidacies because the client has closed and its timers have stopped. Waiting for the end of a candidacy must therefore not depend on
     * a timer.
     */
    public void end() {
        over = true;
        standing.forEach(LockCandidacy::clientEnded);
    }
}
