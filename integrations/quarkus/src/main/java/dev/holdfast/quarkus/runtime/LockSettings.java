package dev.holdfast.quarkus.runtime;

import dev.holdfast.lock.LockMode;
import dev.holdfast.quarkus.OnBusy;
import dev.holdfast.quarkus.OnLost;
import java.util.List;

/**
 * The settings of a locked method that are fixed by the build, except its times.
 *
 * @param name the name in the annotation, which may have expressions
 * @param keys the parts of the key; empty if all calls share one lock
 */
public record LockSettings(
        String name, List<KeyPath> keys, LockMode mode, OnBusy onBusy, OnLost onLost, boolean reentrant) {

    public LockSettings {
        keys = List.copyOf(keys);
    }
}
