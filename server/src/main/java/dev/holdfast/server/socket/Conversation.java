package dev.holdfast.server.socket;

/** The server's end of one WebSocket, above its frames. Told things one after the other. */
public interface Conversation {

    /** A frame of text has come. Does not block. */
    void hear(String frame);

    /** The connection is gone, however it ended. */
    void onClosed();
}
