package dev.holdfast.node;

/**
 * A place in the queue, the same at every node for the whole of an attempt (PROTOCOL §1). Decides fairness only, never safety.
 *
 * <p>Ordered by time, then by the bytes of the owner id's text, so that a node can compare the stored text itself.
 *
 * @param time a hybrid logical clock: wall-clock microseconds, but above every ticket that the client has been shown
 * @param client who asks
 */
public record Ticket(long time, String client) implements Comparable<Ticket> {

    /** Larger times are not exact in the floating-point numbers of Lua and JavaScript. */
    public static final long LARGEST_TIME = (1L << 53) - 1;

    @Override
    public int compareTo(Ticket other) {
        int byTime = Long.compare(time, other.time);
        return byTime != 0 ? byTime : (client + "/").compareTo(other.client + "/");
    }

    public boolean isBefore(Ticket other) {
        return compareTo(other) < 0;
    }
}
