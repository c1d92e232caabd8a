package dev.holdfast.server.view;

import dev.holdfast.server.message.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Locks by the next part of their names after a prefix, and how many of each group are held, waited for, or need attention. */
final class LockGroups {

    private static final int MOST_GROUPS = 500;

    /** The next part of a name, with the separator at its end. */
    private static final Pattern PART = Pattern.compile("(?s)[^:/.#]*[:/.#]");

    private final Map<String, Group> groups = new TreeMap<>();

    /** The locks whose names begin with the same part. */
    private static final class Group {
        private int locks;
        private int held;
        private int unknown;
        private int waiting;
        private int attention;
    }

    LockGroups(String prefix, List<LockRow> rows, Function<LockRow, Attention> attention) {
        for (LockRow row : rows) {
            Matcher part =
                    PART.matcher(row.lock()).region(prefix.length(), row.lock().length());
            String name = part.lookingAt() ? row.lock().substring(0, part.end()) : row.lock();
            Group group = groups.computeIfAbsent(name, added -> new Group());
            group.locks++;
            group.held += row.state() == LockRow.State.HELD ? 1 : 0;
            group.unknown += row.state() == LockRow.State.UNKNOWN ? 1 : 0;
            group.waiting += row.waiting();
            group.attention += needsAttention(row, attention.apply(row).reason()) ? 1 : 0;
        }
    }

    /** Returns whether an operator should look at this lock. Without a majority every lock is unknown, which is the state of the nodes and not of the lock. */
    private static boolean needsAttention(LockRow row, Attention.Reason reason) {
        return switch (reason) {
            case NONE, CONTENDED -> false;
            case UNCERTAIN -> row.state() != LockRow.State.UNKNOWN;
            default -> true;
        };
    }

    /** Writes the groups, those that need attention first, and how many more there are. */
    void putInto(ObjectNode json) {
        List<Map.Entry<String, Group>> sorted = new ArrayList<>(groups.entrySet());
        sorted.sort(Comparator.<Map.Entry<String, Group>>comparingInt(group -> -group.getValue().attention)
                .thenComparing(group -> -group.getValue().waiting)
                .thenComparing(Map.Entry::getKey));
        ArrayNode array = json.putArray("groups");
        sorted.stream().limit(MOST_GROUPS).forEach(entry -> {
            Group group = entry.getValue();
            array.add(Json.object()
                    .put("prefix", entry.getKey())
                    .put("locks", group.locks)
                    .put("held", group.held)
                    .put("unknown", group.unknown)
                    .put("waiting", group.waiting)
                    .put("attention", group.attention));
        });
        json.put("more", Math.max(0, sorted.size() - MOST_GROUPS));
    }
}
