package dev.holdfast.postgresql;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a node, which this class keeps up, and its queue of requests. At most one statement is under way. Requests that arrive while it
 * runs go out together afterwards, as {@link RequestQueue} chooses. A worker runs only while there are requests. Thread-safe; no call blocks.
 */
final class Session {

    private static final System.Logger LOG = System.getLogger(Session.class.getName());

    /** The most requests that wait. Further requests are answered with {@link Unavailable} at once. */
    private static final int MOST_QUEUED = 20_000;

    private static final long FIRST_DELAY_MILLIS = 20;
    private static final long LONGEST_DELAY_MILLIS = 2_000;
    private static final long FIRST_REFUSED_DELAY_MILLIS = 500;
    private static final long LONGEST_REFUSED_DELAY_MILLIS = 10_000;
    private static final long SHORTEST_SWEEP_MILLIS = TimeUnit.SECONDS.toMillis(10);
    private static final long LONGEST_SWEEP_MILLIS = TimeUnit.MINUTES.toMillis(10);
    private static final int SWEEPS_IN_RETENTION = 8; // so that expired state is a small part of the tables
    private static final int SWEPT_AT_ONCE = 1_000;

    private static final Unavailable CLOSED = new Unavailable("closed", false);
    private static final Unavailable UNTRIED = new Unavailable("not connected yet", false);

    /** A connected server, one object for each connection. */
    static final class Up {

        private final Connected on;
        private final long lostAtMillis;
        private final long lostNanos;

        /**
         * Creates the object for a connection.
         *
         * @param lostNanos when the server may have lost commits, by this client's clock
         */
        private Up(Connected on, long lostNanos) {
            this.on = on;
            this.lostAtMillis = on.lostAtMillis();
            this.lostNanos = lostNanos;
        }

        /** Returns the time, by the server's clock, since which it may lack commits of an earlier run; 0 if it lost nothing. */
        long lostAtMillis() {
            return lostAtMillis;
        }

        boolean durable() {
            return on.durable();
        }
    }

    private final String name;
    private final NodeContext context;
    private final Connector connector;
    private final Poller poller;
    private final RequestQueue queue = new RequestQueue(); // its monitor guards the fields below too
    private List<? extends Work> underWay = List.of();
    private boolean draining;
    private boolean closed;

    /** Held while the listener is notified of a change, so that it learns of changes in their order. */
    private final Object telling = new Object();

    private volatile @Nullable Up up;
    private volatile String problem = ""; // empty until the first attempt has failed
    private volatile boolean refused;
    private long delayMillis;
    private @Nullable Timer retry;
    private @Nullable Timer sweeper;

    Session(String name, ConnectionSource connections, Schema schema, NodeContext context) {
        this.name = name;
        this.context = context;
        this.connector = new Connector(name, connections, schema, context);
        this.poller = new Poller(context, this);
    }

    void start() {
        context.timing().scheduler().execute(this::connect);
    }

    @Nullable
    Up up() {
        return up;
    }

    Unavailable notConnected() {
        synchronized (queue) {
            return closed ? CLOSED : problem.isEmpty() ? UNTRIED : new Unavailable("not connected: " + problem, false);
        }
    }

    long quarantineMillis(long ttlMillis) {
        Up now = up;
        if (now == null || now.lostAtMillis == 0) {
            return 0;
        }
        long quarantine = context.times().quarantineMillis().applyAsLong(ttlMillis);
        long age = TimeUnit.NANOSECONDS.toMillis(context.timing().ticker().nanos() - now.lostNanos);
        return Math.max(quarantine - Math.max(age, 0), 0);
    }

    // ---- requests

    <T> CompletionStage<T> carryOut(
            LockCall call, Function<@Nullable String[], T> parse, Function<Unavailable, T> orElse) {
        Work.Lock<T> work = new Work.Lock<>(call, parse, orElse, poller::waits);
        add(work);
        return work.answer;
    }

    <T> CompletionStage<T> query(Work.Query<? extends T> query, Function<Unavailable, T> orElse) {
        Work.Single<T> work = new Work.Single<>(query, orElse);
        add(work);
        return work.answer;
    }

    private void add(Work work) {
        Unavailable why = null;
        boolean begin = false;
        synchronized (queue) {
            if (closed) {
                why = CLOSED;
            } else if (up == null) {
                why = notConnected();
            } else if (queue.size() >= MOST_QUEUED) {
                why = new Unavailable(
                        "overloaded: " + MOST_QUEUED + " requests of this client are already waiting", false);
            } else {
                queue.add(work);
                begin = !draining;
                draining = true;
            }
        }
        if (why != null) {
            work.unavailable(why);
        } else if (begin) {
            context.timing().scheduler().execute(this::drain);
        }
    }

    /** Sends the requests in the queue until it is empty. Only one worker does so at a time. */
    private void drain() {
        while (true) {
            List<Work> next;
            synchronized (queue) {
                underWay = List.of();
                if (queue.isEmpty()) {
                    draining = false;
                    return;
                }
                next = queue.next();
                underWay = next;
            }
            Up now = up;
            if (now == null) {
                next.forEach(work -> work.unavailable(notConnected()));
            } else {
                send(now, next);
            }
        }
    }

    private void send(Up now, List<Work> works) {
        try {
            if (works.get(0) instanceof Work.Single<?> query) {
                query.ask(now.on.link());
                return;
            }
            List<LockCall> calls = new ArrayList<>(works.size());
            works.forEach(work -> calls.add(((Work.Lock<?>) work).call));
            long sent = context.timing().ticker().nanos();
            List<@Nullable String[]> rows = now.on.link().carryOut(calls);
            synchronized (queue) {
                queue.took(works, context.timing().ticker().nanos() - sent);
            }
            for (int i = 0; i < rows.size(); i++) {
                ((Work.Lock<?>) works.get(i)).answer(rows.get(i));
            }
        } catch (SQLException e) {
            Failure failure = Failure.of(e);
            works.forEach(work -> work.unavailable(new Unavailable(failure.reason(), failure.maybeExecuted())));
            if (failure.endsConnection()) {
                lost(now, failure.reason());
            }
        } catch (RuntimeException | Error e) { // else the requests would never be answered
            works.forEach(work -> work.unavailable(new Unavailable("failed: " + e, true)));
            lost(now, "failed: " + e);
            context.timing().scheduler().execute(this::drain); // this worker ends here
            throw e;
        }
    }

    // ---- the connection

    private void connect() {
        Connected connected;
        try {
            connected = connector.connect();
        } catch (SetupException e) {
            failed(String.valueOf(e.getMessage()), true);
            return;
        } catch (SQLException e) {
            Failure failure = Failure.ofConnecting(e);
            failed(failure.reason(), failure.setup());
            return;
        } catch (RuntimeException | LinkageError e) { // from the supplier of passwords, the data source, or the driver
            failed("failed to connect: " + e, false);
            return;
        }
        long lostNanos = context.timing().ticker().nanos()
                - TimeUnit.MILLISECONDS.toNanos(Math.max(connected.nowMillis() - connected.lostAtMillis(), 0));
        Up now = new Up(connected, lostNanos);
        synchronized (telling) {
            synchronized (queue) {
                if (closed) {
                    connected.close();
                    return;
                }
                delayMillis = 0;
                refused = false;
            }
            context.listener().identified(connected.run());
            up = now;
            connected.listen(context.timing().scheduler(), context.listener(), why -> lost(now, why));
            if (!connected.hasNotifications()) {
                poller.start(now);
            }
            context.listener().available(connected.run());
        }
        sweepLater(now);
    }

    private void failed(String reason, boolean setup) {
        synchronized (telling) {
            synchronized (queue) {
                if (closed) {
                    return;
                }
                problem = reason;
                refused = setup;
                retryLater(setup);
            }
            if (setup) {
                context.listener().refused(reason);
            } else {
                context.listener().unavailable(reason);
            }
        }
    }

    private void lost(Up gone, String reason) {
        synchronized (telling) {
            synchronized (queue) {
                if (closed || up != gone) {
                    return;
                }
                up = null;
                problem = reason;
                refused = false;
                stopTimers();
                retryLater(false);
            }
            gone.on.close();
            context.listener().unavailable(reason);
        }
    }

    private void retryLater(boolean setup) {
        long first = setup ? FIRST_REFUSED_DELAY_MILLIS : FIRST_DELAY_MILLIS;
        long longest = setup ? LONGEST_REFUSED_DELAY_MILLIS : LONGEST_DELAY_MILLIS;
        delayMillis = Math.min(Math.max(delayMillis * 2, first), longest);
        long half = TimeUnit.MILLISECONDS.toNanos(delayMillis) / 2;
        retry = context.timing()
                .scheduler()
                .schedule(half + context.timing().random().nextLong(half), this::start);
    }

    private void stopTimers() {
        for (Timer timer : new @Nullable Timer[] {retry, sweeper}) {
            if (timer != null) {
                timer.cancel();
            }
        }
        poller.stop();
    }

    void close() {
        Up last;
        List<Work> left;
        synchronized (queue) {
            if (closed) {
                return;
            }
            closed = true;
            last = up;
            up = null;
            stopTimers();
            left = new ArrayList<>(underWay);
            left.addAll(queue.removeAll());
        }
        left.forEach(work -> work.unavailable(new Unavailable("closed", true)));
        if (last != null) {
            context.timing().scheduler().execute(last.on::close);
        }
    }

    // ---- upkeep

    private void sweepLater(Up now) {
        synchronized (queue) {
            if (!closed && up == now) {
                long half = TimeUnit.MILLISECONDS.toNanos(sweepMillis()) / 2;
                sweeper = context.timing()
                        .scheduler()
                        .schedule(half + context.timing().random().nextLong(half), () -> sweep(now, ""));
            }
        }
    }

    private long sweepMillis() {
        long wanted = context.times().fenceRetentionMillis() / SWEEPS_IN_RETENTION;
        return Math.min(Math.max(wanted, SHORTEST_SWEEP_MILLIS), LONGEST_SWEEP_MILLIS);
    }

    /** Sweeps step by step, between other requests. Of all clients, one sweeps. */
    private void sweep(Up now, String after) {
        query(link -> link.sweep(after, SWEPT_AT_ONCE, sweepMillis() / 2), why -> "")
                .thenAccept(last -> {
                    if (last.isEmpty()) {
                        sweepLater(now);
                    } else {
                        sweep(now, last);
                    }
                });
    }

    CompletionStage<NodeStatus> status() {
        Up now = up;
        if (now == null) {
            boolean wrong = refused;
            return CompletableFuture.completedFuture(NodeStatus.unreachable(
                    name,
                    wrong ? NodeStatus.State.REFUSED : NodeStatus.State.DOWN,
                    notConnected().reason()));
        }
        long quarantine = quarantineMillis(context.times().ttlMillis());
        return query(
                link -> {
                    long sent = context.timing().ticker().nanos();
                    Link.Health health = link.health();
                    long took = context.timing().ticker().nanos() - sent;
                    long offset = health.nowMillis()
                            - context.timing().ticker().wallMillis()
                            + TimeUnit.NANOSECONDS.toMillis(took / 2);
                    return new NodeStatus(
                            name,
                            quarantine > 0 ? NodeStatus.State.QUARANTINED : NodeStatus.State.UP,
                            quarantine > 0
                                    ? "may have lost votes; its votes count in "
                                            + DurationText.of(Duration.ofMillis(quarantine))
                                    : "",
                            Duration.ofNanos(took),
                            Duration.ofMillis(quarantine),
                            new NodeStatus.Server(
                                    now.on.run() + " " + health.database(),
                                    "postgresql " + now.on.version(),
                                    Duration.ofMillis(Math.max(health.uptimeMillis(), 0)),
                                    Duration.ofMillis(offset),
                                    now.on.durable() ? Persistence.ALL : Persistence.SEALS,
                                    now.on.warnings()));
                },
                why -> {
                    LOG.log(Level.DEBUG, "{0}: no status: {1}", name, why.reason());
                    return NodeStatus.unreachable(name, NodeStatus.State.DOWN, why.reason());
                });
    }
}
