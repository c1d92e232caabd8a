package dev.holdfast.testkit.history;

import dev.holdfast.lock.LockMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The history of one attempt: its events, in order. */
final class AttemptHistory {

    /** A period in which the client believed that it held the lock; {@code to} is exclusive. */
    record Belief(AttemptHistory course, long from, long to) {}

    final AttemptId who;
    Event.@Nullable Asked asked;
    Event.@Nullable Queued queued;
    Event.@Nullable Got got;
    Event.@Nullable Releasing releasing;
    Event.@Nullable Lost lost;
    Event.@Nullable GaveUp gaveUp;
    Event.@Nullable Together together;
    Event.@Nullable OneOf oneOf;
    Event.@Nullable Sealed sealed;
    Event.@Nullable Released released;
    Event.@Nullable Taken taken;
    Event.@Nullable Read read;
    final List<Event.Writing> writing = new ArrayList<>();
    final List<Event.Written> written = new ArrayList<>();
    private final List<Event.Extended> extensions = new ArrayList<>();

    AttemptHistory(AttemptId who) {
        this.who = who;
    }

    void add(Event.OfAttempt event) {
        if (event instanceof Event.Asked is) {
            asked = asked == null ? is : asked;
        } else if (event instanceof Event.Queued is) {
            queued = queued == null ? is : queued;
        } else if (event instanceof Event.Got is) {
            got = got == null ? is : got;
        } else if (event instanceof Event.Extended is) {
            extensions.add(is);
        } else if (event instanceof Event.Releasing is) {
            releasing = releasing == null ? is : releasing;
        } else if (event instanceof Event.Lost is) {
            lost = lost == null ? is : lost;
        } else if (event instanceof Event.Together is) {
            together = is;
        } else if (event instanceof Event.OneOf is) {
            oneOf = is;
        } else if (event instanceof Event.Sealed is) {
            sealed = is;
        } else if (event instanceof Event.Released is) {
            released = is;
        } else if (event instanceof Event.Taken is) {
            taken = is;
        } else if (event instanceof Event.Read is) {
            read = is;
        } else if (event instanceof Event.Writing is) {
            writing.add(is);
        } else if (event instanceof Event.Written is) {
            written.add(is);
        } else if (event instanceof Event.GaveUp is) {
            gaveUp = gaveUp == null ? is : gaveUp;
        }
    }

    LockMode mode() {
        return who.mode();
    }

    boolean wasHeld() {
        return got != null;
    }

    /** Returns the fencing token; 0 without one. */
    long token() {
        return got == null ? 0 : got.token();
    }

    int extensions() {
        return extensions.size();
    }

    /** Returns the rank by which leases are ordered: the token, or without tokens the time of acquisition. */
    long rank() {
        return got == null ? 0 : got.token() > 0 ? got.token() : got.nanos();
    }

    /**
     * Returns the periods of belief, from the acquisition to the deadline, the release or the loss. There are several
     * if an extension came after the deadline.
     */
    List<Belief> beliefs() {
        List<Belief> beliefs = new ArrayList<>();
        if (got == null) {
            return beliefs;
        }
        long end = givenUpAt();
        long from = got.nanos();
        long until = got.validUntilNanos();
        for (Event.Extended extension : extensions) {
            if (extension.nanos() >= until) {
                add(beliefs, from, Math.min(until, end));
                from = extension.nanos();
            }
            until = extension.validUntilNanos();
        }
        add(beliefs, from, Math.min(until, end));
        return beliefs;
    }

    private void add(List<Belief> beliefs, long from, long to) {
        if (from < to) {
            beliefs.add(new Belief(this, from, to));
        }
    }

    /** Returns when it last believed that it held the lock; the time of acquisition if it never did. */
    long endOfBelief() {
        long end = got == null ? 0 : got.nanos();
        for (Belief belief : beliefs()) {
            end = Math.max(end, belief.to());
        }
        return end;
    }

    /** Returns the deadline of the lease as the attempt knew it at this time. */
    long deadlineBefore(long nanos) {
        long deadline = got == null ? 0 : got.validUntilNanos();
        for (Event.Extended extension : extensions) {
            deadline = extension.nanos() < nanos ? extension.validUntilNanos() : deadline;
        }
        return deadline;
    }

    private long givenUpAt() {
        long released = releasing == null ? Long.MAX_VALUE : releasing.nanos();
        return lost == null ? released : Math.min(released, lost.nanos());
    }

    boolean hasEnded() {
        return gaveUp != null || releasing != null || lost != null;
    }
}
