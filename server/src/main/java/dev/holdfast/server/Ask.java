package dev.holdfast.server;

import dev.holdfast.LockMode;
import dev.holdfast.node.LockValue;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an acquire asks for.
 *
 * @param patience how long it may stand in line
 * @param value what is to be left for later holders as soon as the lock is granted; null for nothing
 * @param label who asks, for people who look; null for nobody in particular
 */
record Ask(
        String lock,
        LockMode mode,
        Duration ttl,
        Duration patience,
        @Nullable String value,
        @Nullable String label) {

    private static final Pattern LABEL = Pattern.compile("[^\\p{Cc}\\p{Cf}\\p{Cs}]{1,100}");

    Ask {
        if (label != null && !LABEL.matcher(label).matches()) {
            throw new IllegalArgumentException("label must have 1 to 100 characters, none of them control characters");
        }
        if (value != null) {
            LockValue.requireText(value);
            if (!mode.mayWrite()) {
                throw new IllegalArgumentException("a value is written in mode EX or PW, but the mode is " + mode);
            }
        }
    }

    /** Without a label. */
    Ask(String lock, LockMode mode, Duration ttl, Duration patience, @Nullable String value) {
        this(lock, mode, ttl, patience, value, null);
    }
}
