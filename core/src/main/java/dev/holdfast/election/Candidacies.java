package dev.holdfast.election;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** All who stand by one client, so that its end is theirs. Thread-safe. */
public final class Candidacies {

    private final Set<Candidacy> standing = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

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
