package dev.holdfast.internal.election;

import dev.holdfast.election.Election;
import dev.holdfast.election.Leader;
import dev.holdfast.election.LeaderWatch;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A watch that polls the nodes for the leader. At most one query or one timer is active at a time: the end of a query starts the timer, and the end
 * of the timer the next query.
 */
final class PollingWatch implements LeaderWatch {

    private static final System.Logger LOG = System.getLogger(LeaderWatch.class.getName());

    private final Election election;
    private final Duration interval;
    private final Consumer<Optional<Leader>> observer;
    private final Scheduler scheduler;
    private volatile boolean closed;
    private volatile @Nullable Timer timer;
    private volatile boolean toldAny;
    private volatile Optional<Leader> told = Optional.empty();
    private volatile boolean complained;

    PollingWatch(Election election, Duration interval, Consumer<Optional<Leader>> observer, Scheduler scheduler) {
        this.election = election;
        this.interval = interval;
        this.observer = observer;
        this.scheduler = scheduler;
    }

    /** Sends the first query; throws an exception if the client is closed. The observer always runs on a worker thread, however soon the answer arrives. */
    void begin() {
        election.leaderAsync()
                .whenCompleteAsync(
                        (leader, failure) -> {
                            if (failure == null) {
                                complained = false;
                                tell(leader);
                            } else {
                                complain(failure.getCause() == null ? failure : failure.getCause());
                            }
                            if (!closed) {
                                timer = scheduler.schedule(interval.toNanos(), this::ask);
                            }
                        },
                        scheduler::execute);
    }

    private void ask() {
        try {
            if (!closed) {
                begin();
            }
        } catch (HoldfastClosedException e) {
            close();
        }
    }

    private void complain(Throwable why) {
        if (!complained) {
            complained = true;
            LOG.log(
                    Level.WARNING,
                    "The leader of election ''{0}'' is not known at the moment: {1}",
                    election.name(),
                    why.getMessage());
        }
    }

    private void tell(Optional<Leader> leader) {
        if (closed || (toldAny && leader.equals(told))) {
            return;
        }
        toldAny = true;
        told = leader;
        try {
            observer.accept(leader);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "An observer of election '" + election.name() + "' failed", e);
        }
    }

    @Override
    public void close() {
        closed = true;
        Timer waiting = timer;
        if (waiting != null) {
            waiting.cancel();
        }
    }
}
