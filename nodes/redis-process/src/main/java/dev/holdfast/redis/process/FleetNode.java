package dev.holdfast.redis.process;

import java.net.URI;
import java.nio.file.Path;

/**
 * One server of a {@link RedisFleet}, as it was seen.
 *
 * @param index from 0
 * @param uri where it listens, without any password
 * @param state what it is doing
 * @param pid its process; 0 if that is gone
 * @param runId its run id; empty if it doesn't answer
 * @param directory its {@code redis.conf}, {@code redis.log} and {@code data}
 */
public record FleetNode(int index, URI uri, State state, long pid, String runId, Path directory) {

    /** What a server of a fleet is doing. */
    public enum State {
        /** It answers. */
        RUNNING,
        /** It was stopped by a signal. */
        PAUSED,
        /** The process is there and goes on, but doesn't answer: it is loading, or busy with a script. */
        SILENT,
        /** The process is gone: killed, crashed, or lost in a reboot; perhaps its pid or port is another program's by now. */
        GONE
    }
}
