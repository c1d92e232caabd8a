package dev.holdfast.redis.process;

import java.net.URI;
import java.nio.file.Path;

/**
 * One server of a {@link RedisFleet}, as it was last seen.
 *
 * @param index its number, from 0
 * @param uri its address, without any password
 * @param state what the server is doing
 * @param pid its process; 0 if that has ended
 * @param runId its run id; empty if it doesn't answer
 * @param directory the directory with its {@code redis.conf}, {@code redis.log} and {@code data}
 */
public record FleetNode(int index, URI uri, State state, long pid, String runId, Path directory) {

    /** The state of a server of a fleet. */
    public enum State {
        /** The server answers. */
        RUNNING,
        /** The server was stopped by a signal. */
        PAUSED,
        /** The process exists and is not stopped, but doesn't answer: it is loading, or busy with a script. */
        SILENT,
        /**
         * The process has ended: killed, crashed, or lost in a reboot. Another program may have its pid or port by now.
         */
        GONE
    }
}
