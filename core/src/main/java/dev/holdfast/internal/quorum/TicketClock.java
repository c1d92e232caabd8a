package dev.holdfast.internal.quorum;

import dev.holdfast.node.Ticket;
import dev.holdfast.time.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives each attempt its ticket time: a hybrid logical clock in microseconds (PROTOCOL §1). Thread-safe.
 *
 * <p>Never the same time twice, never behind a ticket that a node has shown this client, otherwise the wall clock.
 */
final class TicketClock {

    /** A ticket further ahead than this is somebody's mistake; following it would spoil the order for good. */
    private static final long BELIEVABLE_MICROS = TimeUnit.DAYS.toMicros(1);

    private final Ticker ticker;
    private final AtomicLong last = new AtomicLong();

    TicketClock(Ticker ticker) {
        this.ticker = ticker;
    }

    long next() {
        long wall = wallMicros();
        return last.updateAndGet(time -> Math.max(time + 1, wall));
    }

    /** Whether this clock may have given that time; one that is later than all it gave is another's. */
    boolean mayHaveGiven(long time) {
        return time <= last.get();
    }

    /** Learns of a ticket time that a node has seen. */
    void observe(long ticketTime) {
        if (ticketTime > last.get() && ticketTime <= wallMicros() + BELIEVABLE_MICROS) {
            last.accumulateAndGet(ticketTime, Math::max);
        }
    }

    private long wallMicros() {
        return Math.min(Math.max(TimeUnit.MILLISECONDS.toMicros(ticker.wallMillis()), 0), Ticket.LARGEST_TIME / 2);
    }
}
