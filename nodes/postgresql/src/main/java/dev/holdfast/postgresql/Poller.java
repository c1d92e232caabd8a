package dev.holdfast.postgresql;

import dev.holdfast.node.NodeContext;
import dev.holdfast.node.Push;
import dev.holdfast.time.Timer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A poller that asks for the votes of waiters if no notifications arrive. Thread-safe. */
final class Poller {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A position in the queue of a lock. */
    record Waiting(String resource, String owner) {}

    private final NodeContext context;
    private final Session session;
    private final Set<Waiting> waiting = new HashSet<>(); // its monitor guards the fields below too
    private @Nullable Timer timer;
    private @Nullable Object connection;

    Poller(NodeContext context, Session session) {
        this.context = context;
        this.session = session;
    }

    /** Polls from now on, until {@link #stop}. */
    void start(Object onConnection) {
        synchronized (waiting) {
            connection = onConnection;
        }
        later(onConnection);
    }

    void stop() {
        synchronized (waiting) {
            connection = null;
            waiting.clear(); // those that still wait re-send their requests over the next connection
            if (timer != null) {
                timer.cancel();
            }
        }
    }

    /** Notes whether the owner of a request waits now. */
    void waits(LockCall call, boolean queued) {
        synchronized (waiting) {
            Waiting position = new Waiting(call.resource(), call.owner());
            if (queued && connection != null) {
                waiting.add(position);
            } else {
                waiting.remove(position);
            }
        }
    }

    private void later(Object onConnection) {
        synchronized (waiting) {
            if (connection == onConnection) {
                timer = context.timing().scheduler().schedule(POLL_NANOS, () -> poll(onConnection));
            }
        }
    }

    private void poll(Object onConnection) {
        List<Waiting> positions;
        synchronized (waiting) {
            positions = new ArrayList<>(waiting);
        }
        if (positions.isEmpty()) {
            later(onConnection);
            return;
        }
        session.query(link -> link.votesOf(positions), why -> List.<Push>of()).whenComplete((pushes, thrown) -> {
            if (pushes != null) {
                pushes.forEach(this::deliver);
            }
            later(onConnection);
        });
    }

    private void deliver(Push push) {
        synchronized (waiting) {
            waiting.remove(new Waiting(push.resource(), push.owner().toString()));
        }
        context.listener().pushed(push);
    }
}
