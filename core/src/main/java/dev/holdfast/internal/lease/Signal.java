package dev.holdfast.internal.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An event that callbacks wait for. A callback that is registered after the event is called at once. Accessed only on one serial executor. */
final class Signal<T> {

    private final Callbacks callbacks;
    private final List<Consumer<T>> listeners = new ArrayList<>(0);
    private @Nullable T event;

    Signal(Callbacks callbacks) {
        this.callbacks = callbacks;
    }

    void listen(Consumer<T> listener) {
        listeners.add(listener);
        T current = event;
        if (current != null) {
            callbacks.run(() -> listener.accept(current));
        }
    }

    void raise(T value) {
        event = value;
        for (Consumer<T> listener : listeners) {
            callbacks.run(() -> listener.accept(value));
        }
    }

    /** Clears the event: it no longer holds, and may be raised again. */
    void lower() {
        event = null;
    }
}
