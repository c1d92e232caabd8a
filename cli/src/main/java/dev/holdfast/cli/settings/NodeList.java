package dev.holdfast.cli.settings;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A list of node URIs in one text, as in {@code HOLDFAST_NODES}. */
public final class NodeList {

    /** The separators. Whitespace separates nodes; a comma does so only before a new URI, because Sentinel and Cluster URIs contain commas. */
    private static final Pattern PARTED =
            Pattern.compile("[\\s]+|,(?=\\s|$|(jdbc:)?[A-Za-z][A-Za-z0-9+.-]*://|memory:)");

    private NodeList() {}

    public static List<String> parse(String text) {
        return Stream.of(PARTED.split(text)).filter(node -> !node.isBlank()).toList();
    }
}
