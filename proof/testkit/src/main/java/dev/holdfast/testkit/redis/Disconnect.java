package dev.holdfast.testkit.redis;

/** The way in which a {@link TcpProxy} ends a connection. */
public enum Disconnect {
    /** An orderly close: each side reads the end of the stream. */
    FIN,
    /** A reset: each side gets "connection reset", and bytes under way are lost. */
    RST
}
