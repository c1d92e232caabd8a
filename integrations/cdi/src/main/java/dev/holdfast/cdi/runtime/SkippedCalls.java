package dev.holdfast.cdi.runtime;

import jakarta.inject.Singleton;
import java.util.function.Consumer;

/** The calls that were skipped, because another client holds the lock. Thread-safe. */
@Singleton
public class SkippedCalls {

    private volatile Consumer<String> counter = name -> {};

    /** Makes this function count each skipped call from now on. The function receives the lock's name without a key. */
    public void countWith(Consumer<String> function) {
        counter = function;
    }

    void count(String name) {
        counter.accept(name);
    }
}
