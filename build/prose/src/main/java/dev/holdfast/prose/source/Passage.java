package dev.holdfast.prose.source;

import java.nio.file.Path;

/**
 * A run of text that belongs together, such as a paragraph, a comment or a message.
 *
 * @param file where it stands
 * @param line the number of its first line, from 1
 * @param kind what it is
 * @param text its words; a line feed stands where the source has one, and {@link #CODE} stands for code
 */
public record Passage(Path file, int line, Kind kind, String text) {

    /** Stands for a piece of code, a name or an expression within a sentence: a noun that no rule objects to. */
    public static final String CODE = "Foo";

    /** The kinds of passages. Rules differ: a title needs no verb, but a paragraph does. */
    public enum Kind {
        /** A paragraph of documentation. */
        PARAGRAPH,
        /** A title, a cell of a table or an entry of a list. */
        FRAGMENT,
        /** The description of a type. */
        TYPE,
        /** The description of a method or constructor. */
        METHOD,
        /** The description of a field, a constant or a package. */
        MEMBER,
        /** The text after a tag such as {@code @param}. */
        TAG,
        /** A comment within code. */
        COMMENT,
        /** A text that the program prints, logs, throws or shows. */
        MESSAGE,
    }
}
