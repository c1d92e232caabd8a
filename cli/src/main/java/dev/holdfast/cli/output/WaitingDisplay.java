package dev.holdfast.cli.output;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Waiting;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A display of a wait's progress on standard error: the holder or the leader, its remaining time, and the position in the queue. On a terminal it updates
 * one line each second and clears it at the end. Elsewhere it prints a line after one second, or up to three seconds later if no node has answered, and then
 * every minute. Without a majority it gives the reason of the first node that does not answer. If another program's key without an expiry blocks the
 * lock, the display reports that once, since the wait may then never end. Thread-safe.
 */
public final class WaitingDisplay implements AutoCloseable {

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final int PLAIN_EVERY_SECONDS = 60;
    private static final int PATIENCE_SECONDS = 3;
    private static final int UNKNOWN_WIDTH = -1;
    private static final String CLEAR = "\r\u001b[K";
    private static final String UNLESS_EXTENDED = " unless extended";
    private static final String PROGRAM = "holdfast: ";
    private static final int REFRESH_SECONDS = 5;

    /** The words for one kind of wait: what the client does, the name of what it waits for, and what the holder does. */
    private record Words(String waits, String before, String held) {}

    private static final Words OF_LOCK = new Words("waiting ", " for '", "held by ");
    private static final Words OF_ELECTION = new Words("standing by ", " in election '", "led by ");

    private final String lock;
    private final Words words;
    private final Runnable refresh;
    private final Timing timing;
    private final Moment start;
    private @Nullable Waiting latest;
    private Moment latestAt;
    private int width = UNKNOWN_WIDTH;
    private boolean saidEndless;
    private long seconds;
    private long nextPlain = 1;
    private boolean drawn;
    private boolean closed;

    private WaitingDisplay(String lock, Words words, Runnable refresh, Timing timing) {
        this.lock = lock;
        this.words = words;
        this.refresh = refresh;
        this.timing = timing;
        this.start = timing.now();
        this.latestAt = start;
    }

    /** Starts the display of a wait for a lock; it shows nothing within the first second. */
    public static WaitingDisplay of(String lock, Timing timing) {
        return started(new WaitingDisplay(lock, OF_LOCK, () -> {}, timing));
    }

    /**
     * Starts the display of a candidate that waits to be elected; it shows nothing within the first second.
     *
     * @param refresh requests the state of the wait, without blocking. The display calls it from the first second on until there is an answer, and then every
     *     five seconds on a terminal, and elsewhere a second before each line
     */
    public static WaitingDisplay ofElection(String election, Timing timing, Runnable refresh) {
        return started(new WaitingDisplay(election, OF_ELECTION, refresh, timing));
    }

    private static WaitingDisplay started(WaitingDisplay display) {
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
        if (width == UNKNOWN_WIDTH) {
            width = Terminal.errorWidth();
        }
        if (latest == null || (width > 0 ? seconds % REFRESH_SECONDS == 0 : seconds == nextPlain - 1)) {
            refresh.run();
        }
        sayIfEndless();
        if (width > 0) {
            draw();
        } else if (seconds >= nextPlain && (latest != null || seconds >= nextPlain + PATIENCE_SECONDS)) {
            nextPlain += PLAIN_EVERY_SECONDS;
            Messages.say(text(Integer.MAX_VALUE));
        }
    }

    /** Updates the display with the latest state of the wait. */
    public synchronized void update(Waiting news) {
        latest = news;
        latestAt = timing.now();
        if (!closed && drawn) {
            draw();
        }
    }

    private void draw() {
        drawn = true;
        System.err.print(CLEAR + Printable.line(PROGRAM + text(width - 1 - PROGRAM.length()), width - 1));
        System.err.flush();
    }

    private void sayIfEndless() {
        Waiting news = latest;
        if (news == null || saidEndless || !isEndless(news)) {
            return;
        }
        saidEndless = true;
        if (drawn) {
            System.err.print(CLEAR);
        }
        Messages.say("the key of lock '" + lock + "' is held by " + news.holder()
                + " and has no expiry: this wait never ends unless that program, or an operator, deletes the key");
    }

    /** Returns whether another program's key without an expiry blocks the lock. Votes of Holdfast always expire. */
    private static boolean isEndless(Waiting news) {
        boolean foreign = news.holder().startsWith("a foreign client")
                || news.holder().startsWith("something that is not a lock");
        return foreign && news.nodes().stream().noneMatch(WaitingDisplay::says);
    }

    private static boolean says(NodeReport report) {
        return report.kind().isAnswer() && report.remaining() != null;
    }

    /** Returns how long the holder's votes last without an extension; null if no node reports it. */
    private @Nullable Duration remaining(Waiting news) {
        Duration longest = news.nodes().stream()
                .filter(WaitingDisplay::says)
                .map(NodeReport::remaining)
                .max(Comparator.naturalOrder())
                .orElse(null);
        Duration left = longest == null ? null : longest.minusNanos(latestAt.nanosUntil(timing.now()));
        return left == null || left.isNegative() ? null : Duration.ofSeconds(left.toSeconds());
    }

    /**
     * Returns the line, such as {@code waiting 12 s for 'nightly': queue position 2, held by root@host:4711 for 28 s more unless extended}. If it has
     * more characters than there is room for, it omits the reservation first. Then it omits the name of the lock, which the user has just typed, and at last
     * the reason of the node that does not answer.
     */
    synchronized String text(int room) {
        String name = words.before + Printable.line(lock, 30) + "'";
        String reason = reason();
        return Stream.of(
                        text(name, UNLESS_EXTENDED, reason),
                        text(name, "", reason),
                        text("", "", reason),
                        text(name, "", ""))
                .filter(line -> line.length() <= room)
                .findFirst()
                .orElseGet(() -> text("", "", ""));
    }

    /** Returns the reason of the first node that does not answer, in brackets; empty if no such node gives a reason. */
    private String reason() {
        Waiting news = latest;
        return news == null
                ? ""
                : news.nodes().stream()
                        .filter(node -> !node.kind().isAnswer() && !node.isQuarantined())
                        .filter(node -> !node.detail().isEmpty())
                        .map(node -> " [" + node.node() + ": " + OptionNames.in(node.detail()) + "]")
                        .findFirst()
                        .orElse("");
    }

    private String text(String name, String reservation, String reason) {
        String text = words.waits + DurationText.of(waited()) + name;
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
                    + (quarantined == 1 ? " is" : " are") + " quarantined" + reason);
            NodeReport.untilMajority(news.nodes())
                    .ifPresent(left -> parts.add("a majority votes in " + DurationText.of(left)));
        } else if (answers <= news.nodes().size() / 2) {
            parts.add("only " + answers + " of " + news.nodes().size() + " nodes answer" + reason);
        } else if (news.place() > 0) {
            parts.add("queue position " + news.place());
        }
        if (!news.holder().isEmpty()) {
            Duration left = remaining(news);
            String until = isEndless(news)
                    ? ", without an expiry"
                    : left == null ? "" : " for " + DurationText.of(left) + " more" + reservation;
            parts.add(words.held + news.holder() + until);
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
