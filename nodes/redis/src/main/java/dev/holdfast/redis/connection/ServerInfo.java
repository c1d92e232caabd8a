package dev.holdfast.redis.connection;

import dev.holdfast.lock.Persistence;
import dev.holdfast.redis.script.Printable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A server's report about itself (INFO); managed servers may leave out a part, or all of it. */
public final class ServerInfo {

    private static final int LONGEST_VALUE = 100; // characters of a value
    private static final long LONGEST_UPTIME_MILLIS = 1L << 42;

    /** A server reads its start time from a clock of whole seconds, which may reach the next second one kernel tick late. */
    private static final long COARSE_CLOCK_MILLIS = 10;

    private final Map<String, String> fields = new HashMap<>();

    /** Creates a report from the answers of INFO for several sections. */
    public ServerInfo(List<String> sections) {
        for (String section : sections) {
            section.lines().forEach(this::read);
        }
    }

    private void read(String line) {
        int colon = line.indexOf(':');
        if (colon > 0 && line.charAt(0) != '#') {
            String value = line.substring(colon + 1).strip();
            fields.put(line.substring(0, colon), Printable.shortened(value, LONGEST_VALUE));
        }
    }

    /** Returns the run id, a new one for every start of the server; null if not reported. */
    @Nullable
    String runId() {
        return fields.get("run_id");
    }

    /**
     * Returns the uptime in milliseconds, from 0 to 139 years, empty if not reported. It is a difference of whole seconds, so it may be up
     * to a second too large or too small.
     */
    public OptionalLong uptimeMillis() {
        long uptime = number("uptime_in_seconds", -1, 1000);
        return uptime < 0 ? OptionalLong.empty() : OptionalLong.of(Math.min(uptime, LONGEST_UPTIME_MILLIS));
    }

    /**
     * Returns the latest time at which the server can have started, by its own clock.
     *
     * @param timeMillis its clock, read after this report
     * @return {@code timeMillis} if the server does not report it
     */
    long startedMillis(long timeMillis) {
        OptionalLong uptime = uptimeMillis();
        return uptime.isEmpty()
                ? timeMillis
                : Math.min(
                        timeMillis, timeMillis - timeMillis % 1000 - uptime.getAsLong() + 1000 + COARSE_CLOCK_MILLIS);
    }

    /** Returns {@code master}, {@code slave}, or null if not reported. */
    @Nullable
    String role() {
        return fields.get("role");
    }

    /**
     * Returns whether the server has been a replica in this run, and was promoted: it remembers the replication id that it followed. A
     * primary that has restarted from a file with replication data remembers one, too.
     */
    boolean wasReplica() {
        return number("second_repl_offset", -1, 1) >= 0;
    }

    /** Returns {@code standalone}, {@code sentinel} or {@code cluster}; null if not reported. */
    @Nullable
    String mode() {
        return fields.get("redis_mode");
    }

    /** Returns a version such as {@code redis 7.0.15}; null if not reported. */
    @Nullable
    public String version() {
        for (String kind : List.of("dragonfly", "valkey", "redis")) {
            String version = fields.get(kind + "_version");
            if (version != null) {
                return kind + " " + version;
            }
        }
        return null;
    }

    /** Returns the persistence: an append-only file keeps all but the last moments, and snapshots alone lose all writes since the last one. */
    Persistence persistence() {
        return switch (fields.getOrDefault("aof_enabled", "")) {
            case "1" -> Persistence.ALL;
            case "0" -> Persistence.NONE;
            default -> Persistence.UNKNOWN;
        };
    }

    /** Returns the warnings for an operator. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        String policy = fields.get("maxmemory_policy");
        if (policy != null && !policy.equals("noeviction") && number("maxmemory", 0, 1) > 0) {
            warnings.add("maxmemory-policy is " + policy + ", so the server may drop locks when memory is short;"
                    + " it should be noeviction");
        }
        if (number("connected_slaves", 0, 1) > 0) {
            warnings.add("the server has replicas; if one takes its place, votes may be lost");
        }
        return warnings;
    }

    private long number(String field, long otherwise, long factor) {
        try {
            return Math.multiplyExact(Long.parseLong(fields.getOrDefault(field, "")), factor);
        } catch (NumberFormatException | ArithmeticException e) {
            return otherwise;
        }
    }
}
