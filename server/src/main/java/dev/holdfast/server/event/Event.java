package dev.holdfast.server.event;

import dev.holdfast.server.message.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Something that happened at this server.
 *
 * @param number the how manieth since it started, 1 for the first
 * @param type what happened
 * @param atMillis when, by the server's wall clock
 * @param lock the lock that it happened to; null if it happened to a node
 * @param data what is told of it, as JSON
 */
public record Event(
        long number, long atMillis, Type type, @Nullable String lock, String data) {

    /** What may happen. */
    public enum Type {
        /** A client got a lock. */
        GRANTED,
        /** A client stands in line. */
        QUEUED,
        /** A client that stood in line has left it without the lock: its wait was over, or it has gone. */
        LEFT,
        /** A lease was extended: by its client, or by this server for a session. */
        EXTENDED,
        /** A lease was given back or sealed by its client. */
        RELEASED,
        /** A lease was lost before its time was up: broken, or gone with the nodes' memory. */
        LOST,
        /** An operator has broken a lease, at this server or at another one. */
        BROKEN,
        /** A lease was not extended, and its time is up. */
        EXPIRED,
        /** A node can be asked again. */
        NODE_UP,
        /** A node can't be asked any more, or does not vote. */
        NODE_DOWN,
    }

    public static Event of(long number, long wallMillis, Type type, @Nullable String lock, ObjectNode details) {
        ObjectNode data = Json.object();
        data.put("type", Json.word(type));
        data.put("atMillis", wallMillis);
        if (lock != null) {
            data.put("lock", lock);
        }
        data.setAll(details);
        return new Event(number, wallMillis, type, lock, Json.text(data));
    }
}
