package dev.holdfast.election;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** All who stand by one client, so that its end is theirs. Thread-safe. */
public final class Candidacies {

    private final Set<Candidacy> standing = ConcurrentHashMap.newKeySet();

    void add(Candidacy candidacy) {
        standing.add(candidacy);
    }

    void remove(Candidacy candidacy) {
        standing.remove(candidacy);
    }

    /** Closes all of them; completes when none leads any more. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.allOf(standing.stream()
                .map(Candidacy::closeAsync)
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture<?>[]::new));
    }
}
