package dev.holdfast.redis.process;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The server's description of itself in {@code INFO}.
 *
 * @param runId 40 hexadecimal digits, new with every start
 * @param uptime the time since the start, in whole seconds
 * @param role {@code master}, {@code slave} or {@code sentinel}
 * @param pid the process that answers
 * @param version such as {@code 7.0.15}; another product gives the Redis version with which it is compatible
 */
public record ServerInfo(String runId, Duration uptime, String role, long pid, String version) {

    /** Reads the sections {@code server} and {@code replication}, in any order. */
    static ServerInfo parse(String text) {
        Map<String, String> fields = new HashMap<>();
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith("#")) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        });
        return new ServerInfo(
                field(fields, "run_id"),
                Duration.ofSeconds(Long.parseLong(field(fields, "uptime_in_seconds"))),
                field(fields, "role"),
                Long.parseLong(field(fields, "process_id")),
                field(fields, "redis_version"));
    }

    private static String field(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("INFO without " + name + ", but with " + fields.keySet());
        }
        return value;
    }
}
