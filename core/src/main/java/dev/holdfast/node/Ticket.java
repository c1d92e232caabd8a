package dev.holdfast.node;

import org.jspecify.annotations.Nullable;

/**
 * A position in the queue, the same at every node for the whole attempt (PROTOCOL §1). It affects fairness only, never safety.
 *
 * <p>Tickets are ordered by time, then by the bytes of the owner id's text, so that a node can compare the stored text itself.
 *
 * @param time a hybrid logical clock: wall-clock microseconds, but later than every ticket that the client has seen
 * @param client the client that sends the request
 */
public record Ticket(long time, String client) implements Comparable<Ticket> {

    /** The largest time. The floating-point numbers of Lua and JavaScript cannot represent larger times exactly. */
    public static final long LARGEST_TIME = (1L << 53) - 1;

    @Override
    public int compareTo(Ticket other) {
        int byTime = Long.compare(time, other.time);
        return byTime != 0 ? byTime : (client + "/").compareTo(other.client + "/");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Ticket ticket && time == ticket.time && client.equals(ticket.client);
    }

    @Override
    public int hashCode() { // a record's own would generate code at the first use
        return Long.hashCode(time);
    }
}
