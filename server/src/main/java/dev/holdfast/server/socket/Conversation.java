package dev.holdfast.server.socket;

/** The server's end of one WebSocket, above its frames. Its methods are called one after the other. */
public interface Conversation {

    /** Handles a frame of text. Does not block. */
    void hear(String frame);

    /** Ends the connection once all pending lines are written. Unlike the other methods, any thread may call it at any time. */
    void end(int status, String why);

    /** Handles the end of the connection, for any reason. */
    void onClosed();
}
