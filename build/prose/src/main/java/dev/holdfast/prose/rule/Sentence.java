package dev.holdfast.prose.rule;

import dev.holdfast.prose.source.Passage;

/**
 * A sentence as rules see it.
 *
 * @param passage where it stands
 * @param line the number of its first line in the file
 * @param text its words, separated by single spaces
 * @param isFirst whether its passage begins with it
 */
public record Sentence(Passage passage, int line, String text, boolean isFirst) {

    /** Returns the number of words. */
    int length() {
        return (int) text.chars().filter(c -> c == ' ').count() + 1;
    }
}
