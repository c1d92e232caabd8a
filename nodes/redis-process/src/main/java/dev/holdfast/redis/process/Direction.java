package dev.holdfast.redis.process;

/** The direction of bytes through a proxy, or of packets to and from a {@link NetworkNamespace}. */
public enum Direction {
    /** From the client to the server. */
    TO_SERVER,
    /** From the server to the client. */
    TO_CLIENT
}
