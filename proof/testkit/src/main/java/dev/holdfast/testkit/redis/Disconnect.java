package dev.holdfast.testkit.redis;

/** How a {@link TcpProxy} ends a connection. */
public enum Disconnect {
    /** In good order: each side reads the end of the stream. */
    FIN,
    /** At once: each side gets "connection reset", and what was under way is lost. */
    RST
}
