package dev.holdfast.testkit.history;

import java.util.Arrays;
import java.util.List;

/**
 * A finding of a checker.
 *
 * @param kind its kind
 * @param nanos the time at which it came about
 * @param weight how often it happened: 1, or the number of updates
 * @param text a description
 * @param events the events that show it
 */
public record Finding(Kind kind, long nanos, long weight, String text, List<Event> events) {

    /**
     * The kinds of findings, each with the promise that rules it out. The numbers are those of the checks in the test
     * plan.
     */
    public enum Kind {
        /** 1: a lease was complete before the request for a conflicting one, and has the larger token, or the same. */
        TOKEN_NOT_ABOVE(Promise.MEMORY),
        /** 2: the guarded row accepted a smaller token after a larger one. */
        STALE_AT_GUARD(Promise.ALWAYS),
        /** 2: the guarded row accepted a write whose writer had not read the previous one. */
        LOST_AT_GUARD(Promise.MEMORY),
        /** 3: two clients believed at the same time that their conflicting leases were valid. */
        DOUBLE_HOLDER(Promise.BOUNDED_CLOCKS),
        /** 3: at one time a semaphore had more holders than permits. */
        TOO_MANY_HOLDERS(Promise.BOUNDED_CLOCKS),
        /** 8: work was begun again although the attempt asked for the lock after the seal was confirmed. */
        DONE_AGAIN(Promise.SEALS),
        /** 9: a lease that the nodes had granted was missing at them before its deadline. */
        GRANT_LOST(Promise.SEALS),
        /** 9: a lease was still at the nodes after they had confirmed its release. */
        RELEASE_LOST(Promise.SEALS),
        /** 9: a holder found an older value than the last one whose write the nodes had confirmed, or one that no holder wrote. */
        VALUE_LOST(Promise.SEALS),
        /**
         * 4: an attempt acquired the lock before another one that had learned that it was queued before the first
         * asked.
         */
        OVERTAKEN(Promise.ORDER),
        /** 5: the lock was free for longer than allowed while an attempt waited for it. */
        FREE_TOO_LONG(Promise.QUIET),
        /** 6: a key was left. */
        LEFT_BEHIND(Promise.ALWAYS),
        /** 6: an attempt or a lease of a client that was not killed never ended. */
        WITHOUT_END(Promise.ALWAYS),
        /** 7: the unguarded row accepted a write of a former holder after one of its successor. */
        STALE_WRITE(Promise.NEVER),
        /**
         * 7: writers that had not read updates of the unguarded row overwrote them; negative if some came back that
         * way.
         */
        LOST_UPDATE(Promise.NEVER);

        private final Promise promise;

        Kind(Promise promise) {
            this.promise = promise;
        }

        /** Returns the promise that it breaks. */
        public Promise promise() {
            return promise;
        }
    }

    /** The conditions of a promise. */
    public enum Promise {
        /** It holds under every fault. */
        ALWAYS,
        /**
         * It holds unless a majority of the servers loses its state, or has its clocks set back, while the lock is in
         * use.
         */
        MEMORY,
        /** It holds while clocks keep to the drift allowance and servers that lost their state are quarantined. */
        BOUNDED_CLOCKS,
        /** It holds as {@link #BOUNDED_CLOCKS} does, and while no server loses a write that it has answered. */
        SEALS,
        /**
         * It holds while no client is stopped or cut off, and no server loses state. Servers that agree by consensus may
         * fail.
         */
        ORDER,
        /** It holds while servers and network have no faults, and no client is stopped. */
        QUIET,
        /** It is the purpose of fencing tokens to prevent the damage: such findings are counted, not promised away. */
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
