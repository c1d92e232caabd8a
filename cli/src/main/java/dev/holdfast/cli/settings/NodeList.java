package dev.holdfast.cli.settings;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Several node URIs in one text, as in {@code HOLDFAST_NODES}. */
public final class NodeList {

    /** Blanks part nodes; a comma does only where a new URI follows, since Sentinel and Cluster URIs have commas of their own. */
    private static final Pattern PARTED = Pattern.compile("[\\s]+|,(?=\\s|$|[A-Za-z][A-Za-z0-9+.-]*://|memory:)");

    private NodeList() {}

    public static List<String> parse(String text) {
        return Stream.of(PARTED.split(text)).filter(node -> !node.isBlank()).toList();
    }
}
