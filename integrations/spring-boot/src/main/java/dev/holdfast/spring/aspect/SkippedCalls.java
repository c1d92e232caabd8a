package dev.holdfast.spring.aspect;

import java.util.function.BiConsumer;

/** The calls that were skipped, because another client holds the lock or another instance leads. Thread-safe. */
public final class SkippedCalls {

    private volatile BiConsumer<String, String> counter = (annotation, name) -> {};

    /** Makes this function count each skipped call from now on. The function receives the annotation's name, and the lock's name without a key. */
    public void countWith(BiConsumer<String, String> function) {
        counter = function;
    }

    void count(String annotation, String name) {
        counter.accept(annotation, name);
    }
}
