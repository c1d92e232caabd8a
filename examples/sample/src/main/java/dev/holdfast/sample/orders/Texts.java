package dev.holdfast.sample.orders;

import org.jspecify.annotations.Nullable;

/** Checks of texts that come from outside. */
final class Texts {

    private Texts() {}

    static String required(String name, @Nullable String text, int longest) {
        if (text == null || text.isBlank() || text.length() > longest) {
            throw new IllegalArgumentException(name + " must be a text of 1 to " + longest + " characters, but "
                    + (text == null || text.isBlank() ? "is missing" : "has " + text.length()));
        }
        return text;
    }
}
