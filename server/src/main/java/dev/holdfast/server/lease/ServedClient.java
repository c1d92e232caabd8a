package dev.holdfast.server.lease;

import dev.holdfast.node.OwnerId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A client of a lock server, as all clients of the nodes see it. The server gives its name to each attempt as the label, so that other servers and the command line
 * show the client and not the server.
 *
 * @param client a token's name, or an address
 * @param label the client's name for itself; null if it has none
 */
public record ServedClient(String client, @Nullable String label) {

    private static final Pattern LABELLED = Pattern.compile("'(.+)' \\(([^()]+)\\)");

    /** Returns the name for people: the label with the client, or the client alone if it has no label, or if both are too long together. */
    public String name() {
        String name = label == null ? client : "'" + label + "' (" + client + ")";
        return name.length() > OwnerId.LONGEST_LABEL ? client : name;
    }

    /**
     * Returns the client of a lock server that holds a lock or waits for it; null for every other owner.
     *
     * @param owner the owner id
     * @param name the owner's name for people, as the nodes' clients see it
     */
    public static @Nullable ServedClient of(String owner, String name) {
        if (owner.equals(name) || owner.startsWith(name + "~")) {
            return null;
        }
        Matcher labelled = LABELLED.matcher(name);
        return labelled.matches()
                ? new ServedClient(labelled.group(2), labelled.group(1))
                : new ServedClient(name, null);
    }
}
