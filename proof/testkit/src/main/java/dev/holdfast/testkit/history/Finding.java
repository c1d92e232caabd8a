package dev.holdfast.testkit.history;

import java.util.Arrays;
import java.util.List;

/**
 * Something that a checker found.
 *
 * @param kind what
 * @param nanos when it came about
 * @param weight how often: 1, or the number of updates
 * @param text what happened, in words
 * @param events what shows it
 */
public record Finding(Kind kind, long nanos, long weight, String text, List<Event> events) {

    /** What is looked for, and when it must never be seen. The numbers are those of the checks in the test plan. */
    public enum Kind {
        /** 1: a lease was complete before a conflicting one was asked for, and has the larger token, or the same. */
        TOKEN_NOT_ABOVE(Promise.MEMORY),
        /** 2: the guarded row took a smaller token after a larger one. */
        STALE_AT_GUARD(Promise.ALWAYS),
        /** 2: the guarded row took a write whose writer had not read the one before. */
        LOST_AT_GUARD(Promise.MEMORY),
        /** 3: two conflicting leases were believed valid at the same time. */
        DOUBLE_HOLDER(Promise.BOUNDED_CLOCKS),
        /** 3: a semaphore had more holders at the same time than permits. */
        TOO_MANY_HOLDERS(Promise.BOUNDED_CLOCKS),
        /** 8: work was begun again though it had been asked for after its seal was confirmed. */
        DONE_AGAIN(Promise.SEALS),
        /** 4: who asked later than another had learned that it was queued got the lock first. */
        OVERTAKEN(Promise.QUIET),
        /** 5: nobody held the lock for longer than allowed while somebody waited for it. */
        FREE_TOO_LONG(Promise.QUIET),
        /** 6: a key was left. */
        LEFT_BEHIND(Promise.ALWAYS),
        /** 6: an attempt or a lease of a client that was not killed never ended. */
        WITHOUT_END(Promise.ALWAYS),
        /** 7: the unguarded row took the write of a former holder after one of its successor. */
        STALE_WRITE(Promise.NEVER),
        /** 7: updates of the unguarded row were overwritten by a writer that had not read them; negative if some came back that way. */
        LOST_UPDATE(Promise.NEVER);

        private final Promise promise;

        Kind(Promise promise) {
            this.promise = promise;
        }

        /** When it is promised not to happen. */
        public Promise promise() {
            return promise;
        }
    }

    /** What a promise rests on. */
    public enum Promise {
        /** It holds through every fault. */
        ALWAYS,
        /** It holds while nobody empties a majority of the servers under a lock that is in use, nor sets their clocks back. */
        MEMORY,
        /** It holds while clocks keep to the drift allowance and servers that lost their memory stay in quarantine. */
        BOUNDED_CLOCKS,
        /** As {@link #BOUNDED_CLOCKS}, and no server forgets what it has answered. */
        SEALS,
        /** It holds while servers and network are well, and no client is stopped. */
        QUIET,
        /** It is what tokens are for: counted, not promised. */
        NEVER,
    }

    public Finding {
        events = List.copyOf(events);
    }

    static Finding of(Kind kind, String text, Event... events) {
        long latest = Arrays.stream(events).mapToLong(Event::nanos).max().orElseThrow();
        return new Finding(kind, latest, 1, text, List.of(events));
    }

    @Override
    public String toString() {
        StringBuilder lines = new StringBuilder(kind + ": " + text);
        events.forEach(event -> lines.append("\n    ").append(EventText.line(event)));
        return lines.toString();
    }
}
