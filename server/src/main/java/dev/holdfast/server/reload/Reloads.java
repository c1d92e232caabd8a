package dev.holdfast.server.reload;

import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.ServerLogger;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** A check of all data in files, every few seconds and on request, which reports each outcome. Thread-safe. */
public final class Reloads {

    private static final System.Logger LOG = ServerLogger.get();
    private static final long PERIOD_NANOS = 5_000_000_000L;

    /** The outcome of a change. */
    public enum Outcome {
        /** The change is in use. */
        DONE,
        /** The change was invalid; the previous data is still in use. */
        REFUSED,
    }

    private final Timing timing;
    private final List<Reloadable> parts;
    private final Map<String, Result> results = new ConcurrentHashMap<>();
    private volatile BiConsumer<Outcome, String> listener = (outcome, said) -> {};
    private volatile boolean closed;

    /**
     * The outcomes of the changes of one part.
     *
     * @param done how many changes were applied
     * @param refused how many changes were invalid
     * @param last the outcome of the last change; done if there was none
     */
    public record Result(long done, long refused, Outcome last) {

        Result and(Outcome outcome) {
            return outcome == Outcome.DONE
                    ? new Result(done + 1, refused, outcome)
                    : new Result(done, refused + 1, outcome);
        }
    }

    public Reloads(Timing timing, List<Reloadable> parts) {
        this.timing = timing;
        this.parts = List.copyOf(parts);
        for (Reloadable part : parts) {
            results.put(part.what(), new Result(0, 0, Outcome.DONE));
        }
    }

    /** Sets the listener for the outcomes of changes. */
    public void onChange(BiConsumer<Outcome, String> told) {
        listener = told;
    }

    public void start() {
        if (!parts.isEmpty()) {
            timing.scheduler().schedule(PERIOD_NANOS, () -> timing.scheduler().execute(this::again));
        }
    }

    private void again() {
        if (look()) {
            start();
        }
    }

    /** Checks now; returns false once this is closed. */
    public synchronized boolean look() {
        if (closed) {
            return false;
        }
        for (Reloadable part : parts) {
            try {
                if (part.reload()) {
                    tell(part, Outcome.DONE, part.what() + ": reloaded, and the new content is in use");
                }
            } catch (RuntimeException e) {
                tell(
                        part,
                        Outcome.REFUSED,
                        part.what() + ": the new content is rejected, and the previous one stays in use: "
                                + Printable.of(String.valueOf(e.getMessage()), 1_000));
            }
        }
        return true;
    }

    private void tell(Reloadable part, Outcome outcome, String said) {
        results.computeIfPresent(part.what(), (what, result) -> result.and(outcome));
        LOG.log(outcome == Outcome.DONE ? Level.INFO : Level.WARNING, said);
        listener.accept(outcome, said);
    }

    public void close() {
        closed = true;
    }

    /** Returns the outcomes of the changes of one part. */
    public Result result(String what) {
        return Objects.requireNonNull(results.get(what));
    }

    /** Returns the outcomes of all changes, by {@link Reloadable#what}. */
    public Map<String, Result> results() {
        return new TreeMap<>(results);
    }
}
