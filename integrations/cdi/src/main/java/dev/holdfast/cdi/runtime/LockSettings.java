package dev.holdfast.cdi.runtime;

import dev.holdfast.cdi.OnBusy;
import dev.holdfast.cdi.OnLost;
import dev.holdfast.lock.LockMode;
import java.util.List;

/**
 * The settings of a locked method as in its annotation, except its times.
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
