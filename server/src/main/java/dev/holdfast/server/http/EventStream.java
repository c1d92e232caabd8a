package dev.holdfast.server.http;

import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.message.Json;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/**
 * One reader of events, notified by Server-Sent Events (WHATWG HTML §9.2). The stream drops a reader that is {@value #MOST_BEHIND} events behind, or too many
 * characters, or to which nothing can be written. The readers share the text of pending events. Thread-safe; nothing blocks.
 */
final class EventStream implements Consumer<Event> {

    /** How many events may wait to be written to one reader: all kept events, and some more. */
    static final int MOST_BEHIND = EventLog.MOST_KEPT + EventLog.MOST_EXTENSIONS + 1_024;

    /**
     * How many characters of events that the log no longer keeps may wait to be written to one reader. Pending events that the log keeps take no memory for their
     * text, so a reader can always catch up with the log.
     */
    static final int MOST_CHARS_BEHIND = 1 << 20;

    /** How many characters may be added until the stream counts those that only it keeps: it visits all pending events for that. */
    private static final int UNCOUNTED_CHARS = MOST_CHARS_BEHIND / 4;

    /** The maximum number of extensions per second. Ten thousand leases with a ttl of half a minute cause a thousand extensions a second. */
    static final int MOST_EXTENSIONS_A_SECOND = 100;

    private static final long QUIET_NANOS = 10_000_000_000L;

    private static final int USUAL_CHUNK_CHARS = 1 << 16;

    private final EventLog log;
    private final Timing timing;
    private final Exchange exchange;
    private final ClientWatch clientWatch;
    private final Predicate<Event> wanted;
    private final @Nullable EventSampler extensions;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Deque<Pending> behind = new ArrayDeque<>();
    private final Writer writer = new Writer();
    private int uncountedChars;
    private boolean writing;
    private boolean over;
    private @Nullable Timer quiet;

    /**
     * A text that waits to be written.
     *
     * @param event the event; null for other text
     * @param text the other text; empty for an event, which all readers share
     */
    private record Pending(@Nullable Event event, String text) {}

    /**
     * Creates a reader that has received nothing yet.
     *
     * @param exchange the request that the events answer; its head must have been set
     * @param wanted selects the events for the reader
     * @param everyExtension whether the reader receives every extension, or only a sample where there are very many
     */
    EventStream(EventLog log, Timing timing, Exchange exchange, Predicate<Event> wanted, boolean everyExtension) {
        this.extensions = everyExtension ? null : new EventSampler(MOST_EXTENSIONS_A_SECOND);
        this.log = log;
        this.timing = timing;
        this.exchange = exchange;
        this.clientWatch = new ClientWatch(timing, exchange.connection());
        this.wanted = wanted;
    }

    /** Starts the stream. The future completes when the stream has ended, whichever end closed it. */
    CompletableFuture<Void> start(@Nullable String lastId) {
        clientWatch.watch(this::drop);
        hold(": events of this server\nretry: 1000\n\n");
        log.read(lastId, extensions == null, this, () -> write("event: missed\ndata: {\"type\":\"missed\"}\n\n"));
        if (isOver()) { // its client had disconnected before the reader was added
            log.leave(this);
        }
        timing.scheduler().execute(writer::iterate);
        keepAlive();
        return end;
    }

    /** Sends a line at intervals, so that both ends notice when the other has disconnected. */
    private void keepAlive() {
        Timer next = timing.scheduler().schedule(QUIET_NANOS, () -> {
            write(":\n\n");
            keepAlive();
        });
        boolean late;
        synchronized (this) {
            quiet = next;
            late = over;
        }
        if (late) {
            next.cancel();
        }
    }

    @Override
    public void accept(Event event) {
        if (!wanted.test(event) || (extensions != null && isTooMuch(event, extensions))) {
            return;
        }
        write(new Pending(event, ""));
    }

    private String text(Pending pending) {
        Event event = pending.event;
        return event == null
                ? pending.text
                : "id: " + log.id(event.number()) + "\nevent: " + Json.word(event.type()) + "\ndata: " + event.data()
                        + "\n\n";
    }

    /** Returns whether to leave the event out. A comment line, which only people read, reports the omission. The log passes one event at a time. */
    private boolean isTooMuch(Event event, EventSampler sampler) {
        if (event.type() == Event.Type.EXTENDED && !sampler.lets(event.atMillis())) {
            return true;
        }
        int leftOut = sampler.leftOut();
        if (leftOut > 0) {
            write(": " + leftOut + " extensions are left out; types=extended shows all of them\n\n");
        }
        return false;
    }

    /** Holds the text back until the reader is registered, so that a client that has read it misses no later event. */
    private synchronized void hold(String text) {
        behind.add(new Pending(null, text));
        writing = true;
    }

    private void write(String text) {
        write(new Pending(null, text));
    }

    private void write(Pending pending) {
        boolean tooSlow;
        synchronized (this) {
            if (over) {
                return;
            }
            behind.add(pending);
            tooSlow = behind.size() > MOST_BEHIND || hasTooManyChars(pending);
            if (!tooSlow && writing) {
                return;
            }
            writing = true;
        }
        timing.scheduler().execute(tooSlow ? this::drop : writer::iterate);
    }

    /** Returns whether the reader is too many characters behind. Other text comes at intervals, so it is a reason to count. */
    private boolean hasTooManyChars(Pending added) {
        Event event = added.event;
        uncountedChars += event == null ? UNCOUNTED_CHARS : event.data().length();
        if (uncountedChars < UNCOUNTED_CHARS) {
            return false;
        }
        uncountedChars = 0;
        long chars = 0;
        for (Pending pending : behind) {
            Event waiting = pending.event;
            chars += waiting == null || log.keeps(waiting) ? 0 : waiting.data().length();
        }
        return chars > MOST_CHARS_BEHIND;
    }

    /** A writer of the pending events, one chunk after the other. */
    private final class Writer extends IteratingCallback {

        @Override
        protected Action process() {
            String chunk = next();
            if (chunk.isEmpty()) {
                return Action.IDLE;
            }
            exchange.response.write(false, ByteBuffer.wrap(chunk.getBytes(StandardCharsets.UTF_8)), this);
            return Action.SCHEDULED;
        }

        @Override
        protected void onCompleteFailure(Throwable cause) {
            drop();
        }
    }

    private synchronized String next() {
        StringBuilder chunk = new StringBuilder();
        while (!over && !behind.isEmpty() && chunk.length() < USUAL_CHUNK_CHARS) {
            chunk.append(text(behind.remove()));
        }
        writing = !chunk.isEmpty();
        return chunk.toString();
    }

    private synchronized boolean isOver() {
        return over;
    }

    /** Ends the stream at once; a write under way fails. */
    void drop() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            behind.clear();
            if (quiet != null) {
                quiet.cancel();
            }
        }
        log.leave(this);
        clientWatch.stop();
        clientWatch.cut();
        writer.abort(new EofException());
        exchange.callback.failed(new EofException());
        end.complete(null);
    }
}
