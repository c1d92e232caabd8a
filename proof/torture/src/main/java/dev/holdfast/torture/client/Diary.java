package dev.holdfast.torture.client;

import dev.holdfast.testkit.history.AttemptId;
import dev.holdfast.testkit.history.Event;
import dev.holdfast.testkit.history.HistoryWriter;
import dev.holdfast.testkit.history.ResourceCopy;
import java.util.List;

/** A client's record of its events and their times. Thread-safe. */
final class Diary {

    private final HistoryWriter history;

    Diary(HistoryWriter history) {
        this.history = history;
    }

    /** Returns the time of the monotonic clock, which all processes of a machine share on Linux and macOS. */
    static long now() {
        return System.nanoTime();
    }

    void asked(AttemptId who) {
        history.write(new Event.Asked(now(), who));
    }

    void together(AttemptId who) {
        history.write(new Event.Together(now(), who));
    }

    void oneOf(AttemptId who, long permits) {
        history.write(new Event.OneOf(now(), who, permits));
    }

    void sealed(AttemptId who, long untilNanos) {
        history.write(new Event.Sealed(now(), who, untilNanos));
    }

    void queued(AttemptId who) {
        history.write(new Event.Queued(now(), who));
    }

    void got(AttemptId who, long token, long validUntilNanos) {
        history.write(new Event.Got(now(), who, token, validUntilNanos));
    }

    void extended(AttemptId who, long validUntilNanos) {
        history.write(new Event.Extended(now(), who, validUntilNanos));
    }

    void wrote(AttemptId who, ResourceCopy row, ResourceRow.Written written) {
        history.write(new Event.Wrote(now(), who, row, written.version(), written.value()));
    }

    void refused(AttemptId who) {
        history.write(new Event.Refused(now(), who));
    }

    void releasing(AttemptId who) {
        history.write(new Event.Releasing(now(), who));
    }

    void released(AttemptId who) {
        history.write(new Event.Released(now(), who));
    }

    void taken(AttemptId who) {
        history.write(new Event.Taken(now(), who));
    }

    void read(AttemptId who, ValueText value) {
        history.write(new Event.Read(now(), who, value.token(), value.number()));
    }

    void writing(AttemptId who, long number) {
        history.write(new Event.Writing(now(), who, number));
    }

    void written(AttemptId who, long number) {
        history.write(new Event.Written(now(), who, number));
    }

    void looked(AttemptId who, long askedNanos, List<Long> tokens) {
        history.write(new Event.Looked(now(), who, askedNanos, tokens));
    }

    void lost(AttemptId who) {
        history.write(new Event.Lost(now(), who));
    }

    void gaveUp(AttemptId who) {
        history.write(new Event.GaveUp(now(), who));
    }
}
