package dev.holdfast.redis.live;

import dev.holdfast.testkit.mutant.MutantLoader;
import java.util.function.Function;

/** A client with the code of a mutant. Its requests cross class loaders as words, see {@link FailoverTrial}. */
final class MutantClient implements AutoCloseable {

    private final Function<String, String> trial;

    /**
     * Connects a client.
     *
     * @param quarantineMillis how long it quarantines a node that may have lost its state; 0 for not at all
     * @param nodes URIs
     */
    @SuppressWarnings("unchecked") // the trial of another loader
    MutantClient(MutantLoader code, long quarantineMillis, String... nodes) throws ReflectiveOperationException {
        this.trial = (Function<String, String>) code.create(FailoverTrial.class);
        ask("connect " + quarantineMillis + " " + String.join(" ", nodes));
    }

    /** Acquires and releases the lock; returns the token. */
    long turn(String lock) {
        return Long.parseLong(ask("turn " + lock));
    }

    /** Returns the largest token of a few turns. */
    long turns(String lock) {
        long largest = 0;
        for (int turn = 0; turn < 3; turn++) {
            largest = Math.max(largest, turn(lock));
        }
        return largest;
    }

    /** Tries to acquire the lock and keeps it; returns nothing, or the refusal. */
    String acquire(String lock) {
        return ask("acquire " + lock);
    }

    /** Returns whether the client holds what it acquired. */
    boolean holds() {
        return Boolean.parseBoolean(ask("holds"));
    }

    /** Returns the states of the nodes, such as {@code UP DOWN UP}. */
    String nodes() {
        return ask("nodes");
    }

    @Override
    public void close() {
        ask("close");
    }

    private String ask(String words) {
        return trial.apply(words);
    }
}
