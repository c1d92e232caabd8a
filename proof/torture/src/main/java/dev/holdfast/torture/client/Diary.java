package dev.holdfast.torture.client;

import dev.holdfast.testkit.history.Event;
import dev.holdfast.testkit.history.HistoryWriter;
import dev.holdfast.testkit.history.Row;
import dev.holdfast.testkit.history.Who;

/** What a client writes down, with the time at which it does. Thread-safe. */
final class Diary {

    private final HistoryWriter history;

    Diary(HistoryWriter history) {
        this.history = history;
    }

    /** The monotonic clock, which all processes of a machine share on Linux and macOS. */
    static long now() {
        return System.nanoTime();
    }

    void asked(Who who) {
        history.write(new Event.Asked(now(), who));
    }

    void together(Who who) {
        history.write(new Event.Together(now(), who));
    }

    void oneOf(Who who, long permits) {
        history.write(new Event.OneOf(now(), who, permits));
    }

    void sealed(Who who, long untilNanos) {
        history.write(new Event.Sealed(now(), who, untilNanos));
    }

    void queued(Who who) {
        history.write(new Event.Queued(now(), who));
    }

    void got(Who who, long token, long validUntilNanos) {
        history.write(new Event.Got(now(), who, token, validUntilNanos));
    }

    void extended(Who who, long validUntilNanos) {
        history.write(new Event.Extended(now(), who, validUntilNanos));
    }

    void wrote(Who who, Row row, ResourceRow.Written written) {
        history.write(new Event.Wrote(now(), who, row, written.version(), written.value()));
    }

    void refused(Who who) {
        history.write(new Event.Refused(now(), who));
    }

    void releasing(Who who) {
        history.write(new Event.Releasing(now(), who));
    }

    void lost(Who who) {
        history.write(new Event.Lost(now(), who));
    }

    void gaveUp(Who who) {
        history.write(new Event.GaveUp(now(), who));
    }
}
