package dev.holdfast.torture.client;

import java.util.Optional;

/**
 * The value that a holder leaves for later ones. It names its write, so that the order of the writes is known.
 *
 * @param token the token of the holder; 0 for no value
 * @param number the number of the write under that lease, from 1; 0 for no value
 */
record ValueText(long token, long number) {

    /** Reads a value. */
    static ValueText of(Optional<String> text) {
        if (text.isEmpty()) {
            return new ValueText(0, 0);
        }
        String[] parts = text.get().split("\\.", 2);
        return new ValueText(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }

    String text() {
        return token + "." + number;
    }
}
