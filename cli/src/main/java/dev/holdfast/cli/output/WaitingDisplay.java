package dev.holdfast.cli.output;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Waiting;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A display of the wait's progress on standard error. On a terminal it updates one line and clears it at the end. Elsewhere it prints a line after
 * one second and then every 30 seconds. Thread-safe.
 */
public final class WaitingDisplay implements AutoCloseable {

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final int PLAIN_EVERY_SECONDS = 30;
    private static final int WIDTH = 79;
    private static final String CLEAR = "\r\u001b[K";

    private final String lock;
    private final Timing timing;
    private final Moment start;
    private @Nullable Waiting latest;
    private @Nullable Boolean terminal;
    private long seconds;
    private boolean drawn;
    private boolean closed;

    private WaitingDisplay(String lock, Timing timing) {
        this.lock = lock;
        this.timing = timing;
        this.start = timing.now();
    }

    /** Starts the display; it shows nothing within the first second. */
    public static WaitingDisplay of(String lock, Timing timing) {
        WaitingDisplay display = new WaitingDisplay(lock, timing);
        display.tickLater();
        return display;
    }

    private void tickLater() {
        timing.scheduler().schedule(SECOND_NANOS, () -> timing.scheduler().execute(this::tick));
    }

    private synchronized void tick() {
        if (closed) {
            return;
        }
        seconds++;
        tickLater();
        if (terminal == null) {
            terminal = Terminal.isStandardError();
        }
        if (terminal) {
            draw();
        } else if (seconds % PLAIN_EVERY_SECONDS == 1) {
            Messages.say(text());
        }
    }

    /** Updates the display with the latest state of the wait. */
    public synchronized void update(Waiting news) {
        latest = news;
        if (!closed && drawn) {
            draw();
        }
    }

    private void draw() {
        drawn = true;
        System.err.print(CLEAR + Printable.line("holdfast: " + text(), WIDTH));
        System.err.flush();
    }

    /** Returns the line, such as {@code waiting 12 s for 'nightly': queue position 2, held by root@host:4711}. */
    private String text() {
        String text = "waiting " + DurationText.of(waited()) + " for '" + Printable.line(lock, 30) + "'";
        Waiting news = latest;
        if (news == null) {
            return text;
        }
        List<String> parts = new ArrayList<>();
        long answers = news.nodes().stream()
                .map(NodeReport::kind)
                .filter(NodeReport.Kind::isAnswer)
                .count();
        long quarantined =
                news.nodes().stream().filter(NodeReport::isQuarantined).count();
        if (answers <= news.nodes().size() / 2 && quarantined > 0) {
            parts.add((answers + quarantined) + " of " + news.nodes().size() + " nodes answer, " + quarantined
                    + (quarantined == 1 ? " is" : " are") + " quarantined");
            NodeReport.untilMajority(news.nodes())
                    .ifPresent(left -> parts.add("a majority counts in " + DurationText.of(left)));
        } else if (answers <= news.nodes().size() / 2) {
            parts.add("only " + answers + " of " + news.nodes().size() + " nodes answer");
        } else if (news.place() > 0) {
            parts.add("queue position " + news.place());
        }
        if (!news.holder().isEmpty()) {
            parts.add("held by " + news.holder());
        }
        return parts.isEmpty() ? text : text + ": " + String.join(", ", parts);
    }

    private Duration waited() {
        return Duration.ofSeconds(start.nanosUntil(timing.now()) / SECOND_NANOS);
    }

    /** Clears the line and stops the display. */
    @Override
    public synchronized void close() {
        closed = true;
        if (drawn) {
            System.err.print(CLEAR);
            System.err.flush();
        }
    }
}
