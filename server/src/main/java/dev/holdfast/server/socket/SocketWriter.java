package dev.holdfast.server.socket;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

/**
 * The output of one WebSocket: lines of text, in their order. Lines that arrive while a frame is being written share the next frame. The writer drops a client
 * that does not read. Thread-safe; nothing blocks.
 */
public final class SocketWriter {

    /** The status of a WebSocket that ends normally (RFC 6455 §7.4.1). */
    public static final int NORMAL = 1000;

    /** The status when the server stops. */
    public static final int GOING_AWAY = 1001;

    /** The status when the other end has violated the protocol. */
    public static final int PROTOCOL = 1002;

    /** The status when the other end lacks the permission. */
    public static final int POLICY = 1008;

    /** The status when the other end shall connect again. */
    public static final int SERVICE_RESTART = 1012;

    private static final int USUAL_FRAME_CHARS = 1 << 16;
    private static final int LONGEST_REASON = 100;

    private final Session session;
    private final int mostChars;
    private final SocketBudget.Share share;
    private final Deque<String> lines = new ArrayDeque<>();
    private int chars;
    private int charsUnderWay;
    private boolean sending;
    private boolean over;
    private boolean dropped;

    /** Ends the connection once the pending lines are written; null unless the end waits for them. */
    private @Nullable Runnable end;

    /**
     * Creates a writer that has sent nothing yet.
     *
     * @param mostChars how many characters may wait to be written; while more do, a further line drops the client
     * @param share the share of the connection in the text that the server keeps for its client; a line that exceeds it drops the client
     */
    public SocketWriter(Session session, int mostChars, SocketBudget.Share share) {
        this.session = session;
        this.mostChars = mostChars;
        this.share = share;
    }

    /** Lets the other end be silent for this much longer before the connection is closed. */
    public void allowSilence(Duration more) {
        session.setIdleTimeout(session.getIdleTimeout().plus(more));
    }

    public void send(String line) {
        synchronized (this) {
            if (over) {
                return;
            }
            // the line itself may be longer, as the answer with all leases of a large session
            if (chars <= mostChars && share.take(line.length())) {
                lines.add(line);
                chars += line.length();
                if (sending) {
                    return;
                }
                sending = true;
            } else {
                over = true;
                dropped = true;
                lines.clear();
            }
        }
        sendNext();
    }

    private void sendNext() {
        String frame;
        boolean drop;
        Runnable last;
        synchronized (this) {
            share.putBack(charsUnderWay);
            charsUnderWay = 0;
            drop = dropped;
            frame = drop ? "" : nextFrame();
            sending = !frame.isEmpty();
            last = sending ? null : end;
        }
        if (drop) {
            share.close();
            session.disconnect();
        } else if (!frame.isEmpty()) {
            session.sendText(frame, Callback.from(this::sendNext, failure -> drop()));
        } else if (last != null) {
            last.run();
        }
    }

    private String nextFrame() {
        StringBuilder frame = new StringBuilder();
        while (!lines.isEmpty() && frame.length() < USUAL_FRAME_CHARS) {
            if (!frame.isEmpty()) {
                frame.append('\n');
            }
            String line = lines.remove();
            chars -= line.length();
            charsUnderWay += line.length();
            frame.append(line);
        }
        return frame.toString();
    }

    /** Ends the connection once all pending lines are written, and sends the reason to the other end. */
    public void close(int status, String reason) {
        String shown = reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
        Runnable closing = () -> session.close(status, shown, Callback.from(() -> {}, failure -> session.disconnect()));
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            if (sending) {
                end = closing; // Jetty rejects text after the close, so the pending lines would be lost
                return;
            }
        }
        closing.run();
    }

    private void drop() {
        synchronized (this) {
            over = true;
            lines.clear();
        }
        share.close();
        session.disconnect();
    }

    /** Returns whether the connection ends, so that nothing more can be sent. */
    public synchronized boolean isOver() {
        return over;
    }
}
