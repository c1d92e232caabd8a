package dev.holdfast.election;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** All who stand by one client, so that its end is theirs. Thread-safe. */
public final class Candidacies {

    private final Set<Candidacy> standing = ConcurrentHashMap.newKeySet();
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

    /** Whether the calling thread may wait for the end of a candidacy. */
    boolean mayWait() {
        return !mustNotWait.getAsBoolean();
    }

    /** Either the end finds it, or this finds that it has come. */
    void add(Candidacy candidacy) {
        standing.add(candidacy);
        if (over) {
            candidacy.clientEnded();
        }
    }

    void remove(Candidacy candidacy) {
        standing.remove(candidacy);
    }

    /** Closes all of them; completes when none leads any more. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.allOf(
                standing.stream().map(Candidacy::startClose).toArray(CompletableFuture<?>[]::new));
    }

    /** The client has ended, and its timers with it: whoever waits for the end of one of these must not depend on a timer. */
    public void end() {
        over = true;
        standing.forEach(Candidacy::clientEnded);
    }
}
