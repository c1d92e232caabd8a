package dev.holdfast.redis.connection;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the requests about one lock in order, though an {@linkplain ExtensionBatches extension} may be sent later than it was asked for: what
 * comes after it waits until it is answered. A release that overtook it would be undone by it (PROTOCOL §3). Thread-safe.
 */
final class ExtensionOrder {

    private static final System.Logger LOG = System.getLogger(ExtensionOrder.class.getName());

    private final Map<String, Line> lines = new HashMap<>(); // by lock, for each whose extension is not answered
    private volatile int extensions;

    private record Waiting(Runnable sending, boolean extension) {}

    /** What is asked about one lock. */
    private static final class Line {

        final Queue<Waiting> waiting = new ArrayDeque<>(2);
        boolean extensionUnderWay;
        boolean moving; // somebody sends what is next, and looks again
    }

    /** Whether nobody has to wait, whatever the lock; on the way of every request. */
    boolean isFree() {
        return extensions == 0;
    }

    /**
     * Sends a request now, or when its turn has come.
     *
     * @param extension whether those after it have to wait until {@link #answered}
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

    /** The extension is answered: those behind it go, up to the next extension. They may be answered within the call, as where the connection has ended. */
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
            } catch (RuntimeException | Error e) { // those behind it must not wait for ever
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
