package dev.holdfast.redis.connection;

import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A keeper of one connection: it connects, greets, and begins again after 10 ms when the connection ends. The delay doubles up to 1 s, or
 * up to 10 s if only a change of the setup can help. Thread-safe; called on the threads of Lettuce and of the timers.
 */
public final class Reconnector {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long FIRST_DELAY_MILLIS = 10;
    private static final long LONGEST_DELAY_MILLIS = 1_000;
    /**
     * The owner is notified of a close without a reason only once the retry delay has reached this value: a busy machine often misses several
     * answers in a row.
     */
    private static final long HIDING_DELAY_MILLIS = 80;

    private static final long FIRST_REFUSED_DELAY_MILLIS = 500;
    private static final long LONGEST_REFUSED_DELAY_MILLIS = 10_000;

    /** The owner of the connection, which is notified of its changes. */
    public interface Owner {

        /** Receives a push. */
        void pushed(String message);

        /** Learns the facts that the owner needs before it uses the connection. */
        CompletionStage<ServerFacts> greet(Link link);

        /** Notifies the owner that the connection is usable. */
        void up(Link link, ServerFacts facts);

        /** Notifies the owner that there is no connection any more, or still none. */
        void down(ServerProblem problem);
    }

    private final Connector connector;
    private final Timing timing;
    private final long connectNanos;
    private final Owner owner;

    /** The owner learns of one change after the other: it must not take up a new connection before it has let go of the old one. */
    private final SerialExecutor telling = new SerialExecutor();

    private @Nullable ConnectAttempt attempt;
    private long delayMillis;
    private @Nullable Timer retry;
    private boolean closed;

    public Reconnector(Connector connector, Timing timing, long connectNanos, Owner owner) {
        this.connector = connector;
        this.timing = timing;
        this.connectNanos = connectNanos;
        this.owner = owner;
    }

    /** Connects on a worker, since asking for the password may block. */
    public void start() {
        timing.scheduler().execute(this::connect);
    }

    private void connect() {
        ConnectAttempt next = new ConnectAttempt();
        synchronized (this) {
            if (closed) {
                return;
            }
            attempt = next;
        }
        next.begin();
    }

    private synchronized boolean isCurrent(ConnectAttempt asking) {
        return !closed && attempt == asking;
    }

    private void failed(ConnectAttempt failed, ServerProblem problem) {
        boolean tell;
        synchronized (this) {
            if (!isCurrent(failed)) {
                return;
            }
            attempt = null;
            tell = failed.wasUp
                    || delayMillis >= HIDING_DELAY_MILLIS
                    || !problem.mayHideAnAnswer(); // otherwise the next attempt reports the reason
            long first = problem.setup() ? FIRST_REFUSED_DELAY_MILLIS : FIRST_DELAY_MILLIS;
            long longest = problem.setup() ? LONGEST_REFUSED_DELAY_MILLIS : LONGEST_DELAY_MILLIS;
            delayMillis = Math.min(Math.max(delayMillis * 2, first), longest);
        }
        failed.close();
        telling.execute(() -> {
            if (tell) {
                owner.down(problem);
            }
            retryLater();
        });
    }

    private void retryLater() {
        synchronized (this) {
            if (!closed) {
                long half = delayMillis * NANOS_PER_MILLI / 2;
                retry = timing.scheduler().schedule(half + timing.random().nextLong(half), this::start);
            }
        }
    }

    public void close() {
        ConnectAttempt last;
        synchronized (this) {
            closed = true;
            last = attempt;
            attempt = null;
            if (retry != null) {
                retry.cancel();
            }
        }
        CompletionStage<Void> over = last == null ? CompletableFuture.completedFuture(null) : last.close();
        over.whenComplete((done, thrown) -> connector.close());
    }

    /** One connection, from the first packet to its end. */
    private final class ConnectAttempt {

        private @Nullable Timer timeout;
        private @Nullable CompletableFuture<LettuceConnections> connecting;
        private @Nullable Link link;
        private @Nullable Runnable waiting;
        private boolean begun;
        private boolean over;
        private volatile boolean wasUp;

        void begin() {
            synchronized (this) {
                timeout = RunningTimeout.startConnecting(
                        timing, connectNanos, this::afterReading, () -> end(whyNoAnswer()));
            }
            try {
                CompletableFuture<LettuceConnections> opening = connector.connect();
                begun();
                opening.whenComplete((wires, thrown) -> {
                    if (thrown == null) {
                        greet(wires);
                    } else {
                        end(thrown);
                    }
                });
                cancelAtEnd(opening);
            } catch (RuntimeException | LinkageError e) { // from the supplier of passwords, or from Lettuce
                end(e);
            } catch (Error e) { // of the supplier, too
                end(e);
                throw e;
            }
        }

        private void cancelAtEnd(CompletableFuture<LettuceConnections> opening) {
            synchronized (this) {
                connecting = opening;
                if (!over) {
                    return;
                }
            }
            opening.cancel(true);
        }

        private synchronized String whyNoAnswer() {
            return begun
                    ? "no answer within " + connectNanos / NANOS_PER_MILLI + " ms while connecting"
                            + (connector.hint().isEmpty() ? "" : "; " + connector.hint())
                    : "this client has not begun to connect within " + RunningTimeout.LONGEST_TURN.toSeconds()
                            + " s: it is still loading classes, or waiting for its password";
        }

        /**
         * Runs a step after pending reads. The first connection waits for class loading, and any connection for a supplier of passwords:
         * the server is not to blame for that time.
         */
        private void afterReading(Runnable step) {
            synchronized (this) {
                if (!begun) {
                    waiting = step;
                    return;
                }
            }
            connector.afterReading(step);
        }

        private void begun() {
            Runnable step;
            synchronized (this) {
                begun = true;
                step = waiting;
            }
            if (step != null) {
                connector.afterReading(step);
            }
        }

        private void greet(LettuceConnections wires) {
            Link fresh = new Link(wires, timing, connectNanos, owner::pushed, this::end);
            synchronized (this) {
                if (over) {
                    fresh.close();
                    return;
                }
                link = fresh;
            }
            owner.greet(fresh).whenComplete((facts, thrown) -> {
                if (thrown != null) {
                    end(thrown);
                } else {
                    up(fresh, facts);
                }
            });
        }

        private void up(Link fresh, ServerFacts facts) {
            synchronized (this) {
                if (over) {
                    return;
                }
                cancelTimeout();
            }
            synchronized (Reconnector.this) {
                if (!isCurrent(this)) {
                    return;
                }
                delayMillis = 0;
            }
            telling.execute(() -> {
                if (isCurrent(this)) {
                    wasUp = true;
                    try {
                        owner.up(fresh, facts);
                    } catch (RuntimeException | Error e) { // else the node would stay down for ever
                        end(e);
                        throw e;
                    }
                }
            });
        }

        private void end(Throwable thrown) {
            Throwable cause = ServerProblem.unwrapped(thrown);
            ServerProblem problem = cause instanceof Handshake.RefusedException
                    ? new ServerProblem(String.valueOf(cause.getMessage()), true, true)
                    : ServerProblem.of(thrown);
            if (!wasUp && problem.isNoAnswer()) { // Lettuce's own timeout: for sentinels it is as long as this one's
                end(whyNoAnswer());
            } else {
                failed(this, wasUp ? problem : problem.withHint(connector.hint()));
            }
        }

        private void end(String reason) {
            failed(this, new ServerProblem(reason, false, false));
        }

        CompletionStage<Void> close() {
            Link last;
            CompletableFuture<LettuceConnections> unfinished;
            synchronized (this) {
                over = true;
                cancelTimeout();
                last = link;
                unfinished = connecting;
            }
            if (unfinished != null) {
                unfinished.cancel(true); // has no effect if the connection is open
            }
            return last == null ? CompletableFuture.completedFuture(null) : last.close();
        }

        private void cancelTimeout() {
            if (timeout != null) {
                timeout.cancel();
            }
        }
    }
}
