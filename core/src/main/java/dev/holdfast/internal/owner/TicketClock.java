package dev.holdfast.internal.owner;

import dev.holdfast.node.Ticket;
import dev.holdfast.time.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clock that gives each attempt its ticket time: a hybrid logical clock in microseconds (PROTOCOL §1). Thread-safe.
 *
 * <p>It never returns the same time twice, and never one before a ticket that a node has returned to this client. Otherwise it follows the wall
 * clock.
 */
final class TicketClock {

    /** A ticket further ahead of the wall clock than this is wrong; following it would disturb the order of tickets permanently. */
    private static final long BELIEVABLE_MICROS = TimeUnit.DAYS.toMicros(1);

    private final Ticker ticker;
    private final AtomicLong last = new AtomicLong();

    TicketClock(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Returns the ticket time of a new attempt. */
    long next() {
        long wall = wallMicros();
        while (true) {
            long before = last.get();
            long time = Math.max(before + 1, wall);
            if (last.compareAndSet(before, time)) {
                return time;
            }
        }
    }

    /** Returns whether this clock may have returned that time: a time later than all that it has returned comes from another clock. */
    boolean mayHaveGiven(long time) {
        return time <= last.get();
    }

    /** Notes a ticket time that a node has seen. */
    void observe(long ticketTime) {
        if (ticketTime > last.get() && ticketTime <= wallMicros() + BELIEVABLE_MICROS) {
            last.accumulateAndGet(ticketTime, Math::max);
        }
    }

    private long wallMicros() {
        return Math.min(Math.max(TimeUnit.MILLISECONDS.toMicros(ticker.wallMillis()), 0), Ticket.LARGEST_TIME / 2);
    }
}
