package dev.holdfast.server;

import dev.holdfast.LockMode;
import dev.holdfast.node.LockValue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an acquire asks for.
 *
 * @param patience how long it may stand in line
 * @param value what is to be left for later holders as soon as the lock is granted; null for nothing
 */
record Ask(
        String lock,
        LockMode mode,
        Duration ttl,
        Duration patience,
        @Nullable String value) {

    Ask {
        if (value != null) {
            LockValue.requireText(value);
            if (!mode.mayWrite()) {
                throw new IllegalArgumentException("a value is written in mode EX or PW, but the mode is " + mode);
            }
        }
    }
}
