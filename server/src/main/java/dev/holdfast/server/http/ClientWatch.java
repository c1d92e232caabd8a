package dev.holdfast.server.http;

import dev.holdfast.server.lease.Requester;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/**
 * Watches whether the client of an open HTTP request is still connected. HTTP/1.1 does not tell the server that a client has gone before the server writes, so
 * the connection is looked at twice a second.
 *
 * <p>That reads what the client sends meanwhile. It is allowed to send its next request early, but then the answer closes the connection, and it has
 * to send that one again (RFC 9112 §9.3.2).
 */
final class ClientWatch implements Requester {

    private static final long LOOK_NANOS = 500_000_000L;

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

    /** From now on it is looked at, until {@link #stop}. The request's body must have been read. */
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

    /** Whom to tell, if it has gone. The read does not block. */
    private synchronized @Nullable Runnable hasGone() {
        if (over) {
            return null;
        }
        int read;
        try {
            ByteBuffer some = ByteBuffer.allocate(1);
            some.flip(); // as Jetty has its buffers: nothing in it to be read
            read = connection.fill(some);
        } catch (IOException e) {
            read = -1;
        }
        if (read < 0) {
            over = true;
            return onGone;
        }
        if (read > 0) {
            hasSentMore = true;
        } else {
            lookLater();
        }
        return null;
    }

    /** It is about to be answered: from now on the connection is the web server's again. Says whether the answer must be the last one on it. */
    synchronized boolean stop() {
        over = true;
        if (look != null) {
            look.cancel();
        }
        return hasSentMore;
    }

    /** Ends the connection at once, whoever is writing to it. */
    void cut() {
        connection.close();
    }
}
