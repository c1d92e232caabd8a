package dev.holdfast.simulator;

import java.util.ArrayDeque;
import java.util.Deque;

/** One direction of a connection: what is sent arrives in order, unless the wire is cut. */
final class Wire {

    private final Schedule schedule;
    private final Deque<Runnable> held = new ArrayDeque<>();
    private long lastArrival;
    private boolean blocked;
    private boolean cut;

    Wire(Schedule schedule) {
        this.schedule = schedule;
    }

    void send(Runnable arrival) {
        if (cut) {
            return;
        }
        if (blocked) {
            held.add(arrival);
        } else {
            transmit(arrival);
        }
    }

    private void transmit(Runnable arrival) {
        long now = schedule.nanos();
        long at = Math.max(now + schedule.latencyNanos(), lastArrival + 1);
        lastArrival = at;
        schedule.after(at - now, () -> {
            if (!cut) {
                arrival.run();
            }
        });
    }

    /** Holds all messages sent from now on, until it is unblocked. */
    void block() {
        blocked = true;
    }

    /** Sends the messages that it held. */
    void unblock() {
        blocked = false;
        while (!held.isEmpty() && !blocked) {
            transmit(held.remove());
        }
    }

    /** Cuts the wire: messages that have not arrived never will. */
    void cut() {
        cut = true;
        held.clear();
    }
}
