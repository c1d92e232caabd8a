package dev.holdfast.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the handshake found out about a server.
 *
 * @param serverId what tells it from every other server
 * @param runId a new one for every start; null if it does not tell
 * @param version such as {@code redis 7.0.15}; null if it does not tell
 * @param uptimeMillis -1 if it does not tell
 * @param warnings what an operator should know
 */
record ServerFacts(
        String serverId, @Nullable String runId, @Nullable String version, long uptimeMillis, List<String> warnings) {

    ServerFacts {
        warnings = List.copyOf(warnings);
    }
}
