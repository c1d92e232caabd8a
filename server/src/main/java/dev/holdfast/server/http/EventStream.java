package dev.holdfast.server.http;

import dev.holdfast.server.event.Event;
import dev.holdfast.server.event.EventLog;
import dev.holdfast.server.message.Json;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One reader of events, told by Server-Sent Events (WHATWG HTML §9.2). Events are written by a worker; a reader that is {@value #MOST_BEHIND} events
 * behind, or to whom nothing can be written, is dropped. Thread-safe.
 */
final class EventStream implements Consumer<Event> {

    /** How many events may wait to be written to one reader: all that are kept, and some. */
    static final int MOST_BEHIND = EventLog.MOST_KEPT + EventLog.MOST_EXTENSIONS + 1_024;

    /** Ten thousand leases of half a minute are extended a thousand times a second. */
    static final int MOST_EXTENSIONS_A_SECOND = 100;

    private static final long QUIET_NANOS = 10_000_000_000L;

    private final EventLog log;
    private final Timing timing;
    private final ClientWatch clientWatch;
    private final OutputStream out;
    private final Predicate<Event> wanted;
    private final @Nullable EventSampler extensions;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Deque<String> behind = new ArrayDeque<>();
    private boolean writing;
    private boolean over;
    private @Nullable Timer quiet;

    /**
     * A reader that has been told nothing yet.
     *
     * @param out where its response goes; a write may block
     * @param wanted which events it is to be told
     * @param everyExtension whether it is told of every extension; otherwise of some, where there are very many
     */
    EventStream(
            EventLog log,
            Timing timing,
            ClientWatch clientWatch,
            OutputStream out,
            Predicate<Event> wanted,
            boolean everyExtension) {
        this.extensions = everyExtension ? null : new EventSampler(MOST_EXTENSIONS_A_SECOND);
        this.log = log;
        this.timing = timing;
        this.clientWatch = clientWatch;
        this.out = out;
        this.wanted = wanted;
    }

    /** Begins; completes when the stream has ended, whoever ended it. */
    CompletableFuture<Void> start(@Nullable String lastId) {
        clientWatch.watch(this::drop);
        hold(": events of this server\nretry: 1000\n\n");
        log.read(lastId, extensions == null, this, () -> write("event: missed\ndata: {\"type\":\"missed\"}\n\n"));
        if (isOver()) { // its client had gone before it was one of the readers
            log.leave(this);
        }
        timing.scheduler().execute(this::writeAll);
        keepAlive();
        return end;
    }

    /** A line now and then, so that both ends see whether the other is there. */
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
        write("id: " + log.id(event.number()) + "\nevent: " + Json.word(event.type()) + "\ndata: " + event.data()
                + "\n\n");
    }

    /** What is left out is said in a line that only people read. The log tells one event after the other. */
    private boolean isTooMuch(Event event, EventSampler sampler) {
        if (event.type() == Event.Type.EXTENDED && !sampler.lets(event.atMillis())) {
            return true;
        }
        int leftOut = sampler.leftOut();
        if (leftOut > 0) {
            write(": " + leftOut + " extensions are left out; with types=extended all are told\n\n");
        }
        return false;
    }

    /** To be written once the reader is told of events: who has read it misses none that comes after. */
    private synchronized void hold(String text) {
        behind.add(text);
        writing = true;
    }

    private void write(String text) {
        boolean tooSlow;
        synchronized (this) {
            if (over) {
                return;
            }
            behind.add(text);
            tooSlow = behind.size() > MOST_BEHIND;
            if (!tooSlow && writing) {
                return;
            }
            writing = true;
        }
        timing.scheduler().execute(tooSlow ? this::drop : this::writeAll);
    }

    private void writeAll() {
        try {
            for (String text = next(); text != null; text = next()) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
                if (isUpToDate()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            drop();
        }
    }

    private synchronized @Nullable String next() {
        String text = over ? null : behind.poll();
        writing = text != null;
        return text;
    }

    private synchronized boolean isOver() {
        return over;
    }

    private synchronized boolean isUpToDate() {
        return behind.isEmpty();
    }

    /** Ends it at once: whatever is being written fails. */
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
        end.complete(null);
    }
}
