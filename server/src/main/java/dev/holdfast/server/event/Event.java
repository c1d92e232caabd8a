package dev.holdfast.server.event;

import dev.holdfast.server.message.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event on this server.
 *
 * @param number the position of the event since the start of the server; 1 for the first event
 * @param type the type of the event
 * @param atMillis the time of the event, in ms of the server's wall clock
 * @param lock the lock that the event concerns; null for an event of a node
 * @param data the details, as JSON
 */
public record Event(
        long number, long atMillis, Type type, @Nullable String lock, String data) {

    /** The type of an event. */
    public enum Type {
        /** The event that a client has acquired a lock. */
        GRANTED,
        /** The event that a client has joined the queue. */
        QUEUED,
        /** The event that a client has left the queue without the lock: its wait timed out, or the client disconnected. */
        LEFT,
        /** The event that this server continues a lease that another server granted, or this server before a restart. */
        ADOPTED,
        /** The event that this server no longer watches a lease, because its client uses it at another server. */
        MOVED,
        /** The event that the client has extended a lease, or that this server has done so for a session. */
        EXTENDED,
        /** The event that the client has released or sealed a lease. */
        RELEASED,
        /** The event that a lease was lost before its ttl ended: it was broken, or the nodes lost their state. */
        LOST,
        /** The event that an operator has broken a lease, on this server or on another one. */
        BROKEN,
        /** The event that a lease has expired without an extension. */
        EXPIRED,
        /** The event that a node is available again. */
        NODE_UP,
        /** The event that a node does not vote, or does not vote for another reason than before: it is down, rejects the server, or is in quarantine. */
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
