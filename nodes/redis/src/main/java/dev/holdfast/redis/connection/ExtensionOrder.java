package dev.holdfast.redis.connection;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A keeper of the order of requests about one lock: an {@linkplain ExtensionBatches extension} may be sent later than it was requested. Later
 * requests wait until the extension is answered. An extension would undo a release that overtook it (PROTOCOL §3). Thread-safe.
 */
final class ExtensionOrder {

    private static final System.Logger LOG = System.getLogger(ExtensionOrder.class.getName());

    private final Map<String, Line> lines = new HashMap<>(); // by lock, for each lock with an unanswered extension
    private volatile int extensions;

    private record Waiting(Runnable sending, boolean extension) {}

    /** The requests about one lock. */
    private static final class Line {

        final Queue<Waiting> waiting = new ArrayDeque<>(2);
        boolean extensionUnderWay;
        boolean moving; // a thread is sending the next requests, and checks for more
    }

    /** Returns whether no request about any lock has to wait; called for every request. */
    boolean isFree() {
        return extensions == 0;
    }

    /**
     * Sends a request now, or when its turn has come.
     *
     * @param extension whether later requests have to wait until {@link #answered}
     */
    void send(String lock, boolean extension, Runnable sending) {
        synchronized (this) {
            Line line = lines.get(lock);
            if (line != null) {
                line.waiting.add(new Waiting(sending, extension));
                return;
            }
            if (extension) {
                Line begun = new Line();
                begun.extensionUnderWay = true;
                lines.put(lock, begun);
                extensions = lines.size();
            }
        }
        sending.run();
    }

    /**
     * Notes the answer to an extension, and sends the requests behind it up to the next extension. Their answers may arrive during the
     * call, for example if the connection has ended.
     */
    void answered(String lock) {
        synchronized (this) {
            Line line = lines.get(lock);
            if (line == null) {
                return;
            }
            line.extensionUnderWay = false;
            if (line.moving) {
                return;
            }
            line.moving = true;
        }
        for (Waiting next = next(lock); next != null; next = next(lock)) {
            try {
                next.sending.run();
            } catch (RuntimeException | Error e) { // the requests behind it must not wait for ever
                LOG.log(Level.ERROR, "A request about a lock could not be sent", e);
            }
        }
    }

    private synchronized @Nullable Waiting next(String lock) {
        Line line = lines.get(lock);
        if (line == null) {
            return null;
        }
        if (line.extensionUnderWay) {
            line.moving = false;
            return null;
        }
        Waiting next = line.waiting.poll();
        if (next == null) {
            lines.remove(lock);
            extensions = lines.size();
        } else {
            line.extensionUnderWay = next.extension;
        }
        return next;
    }
}
