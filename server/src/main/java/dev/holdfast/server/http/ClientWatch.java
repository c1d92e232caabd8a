package dev.holdfast.server.http;

import dev.holdfast.server.lease.Requester;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/**
 * A watch that detects whether the client of an open HTTP request is still connected. With HTTP/1.1 the server does not notice that a client has disconnected
 * before it writes. The watch therefore checks the connection twice a second.
 *
 * <p>The check reads any data that the client sends before it has the answer. A client may send its next request early. In that case the answer
 * closes the connection, and the client has to re-send that request (RFC 9112 §9.3.2).
 */
final class ClientWatch implements Requester {

    private static final long LOOK_NANOS = 500_000_000L;

    /** How much of what a client sends early a check reads: the end of the connection comes behind it. */
    private static final int LOOK_BYTES = 16_384;

    private final Timing timing;
    private final EndPoint connection;
    private @Nullable Runnable onGone;
    private @Nullable Timer look;
    private boolean hasSentMore;
    private boolean over;

    ClientWatch(Timing timing, EndPoint connection) {
        this.timing = timing;
        this.connection = connection;
    }

    /** Checks the connection from now on, until {@link #stop}. The request's body must have been read. */
    @Override
    public synchronized void watch(Runnable gone) {
        onGone = gone;
        lookLater();
    }

    private void lookLater() {
        look = timing.scheduler().schedule(LOOK_NANOS, this::look);
    }

    private void look() {
        Runnable gone = hasGone();
        if (gone != null) {
            timing.scheduler().execute(gone);
        }
    }

    /** Returns the action to run if the client has disconnected; null otherwise. The read does not block. */
    private synchronized @Nullable Runnable hasGone() {
        if (over) {
            return null;
        }
        int read;
        try {
            ByteBuffer some = ByteBuffer.allocate(hasSentMore ? LOOK_BYTES : 1);
            some.flip(); // empty, in Jetty's convention for buffers
            read = connection.fill(some);
        } catch (IOException e) {
            read = -1;
        }
        if (read < 0) {
            over = true;
            return onGone;
        }
        hasSentMore |= read > 0;
        lookLater();
        return null;
    }

    /** Stops the checks before the answer, and returns the connection to the web server. Returns whether the answer must be the last one on the connection. */
    synchronized boolean stop() {
        over = true;
        if (look != null) {
            look.cancel();
        }
        return hasSentMore;
    }

    /** Ends the connection at once, even while another thread writes to it. */
    void cut() {
        connection.close();
    }
}
