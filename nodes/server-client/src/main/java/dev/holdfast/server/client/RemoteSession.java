package dev.holdfast.server.client;

import dev.holdfast.lock.Persistence;
import dev.holdfast.node.ConnectFailure;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timer;
import java.lang.System.Logger.Level;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A session that keeps one connection to a server open. It knows which server is at the other end, and whether the votes of that server count (PROTOCOL §5). It
 * notifies the listener of changes. Thread-safe.
 *
 * <p>After a connection has ended, the session reconnects after 10 ms. The delay doubles up to 1 s, or up to 10 s where only a change of the setup can help.
 */
final class RemoteSession {

    private static final System.Logger LOG = System.getLogger(RemoteSession.class.getName());
    private static final long FIRST_DELAY_MILLIS = 10;
    private static final long LONGEST_DELAY_MILLIS = 1_000;
    private static final long FIRST_REFUSED_DELAY_MILLIS = 500;
    private static final long LONGEST_REFUSED_DELAY_MILLIS = 10_000;

    private final NodeContext context;
    private final RemoteSockets sockets;
    private final boolean oneOfSeveral;

    private volatile @Nullable Up up;
    private volatile Problem problem = new Problem("not connected yet", false);
    private @Nullable RemoteLink current;
    private NodeMessage.@Nullable Member member;
    private @Nullable Timer retry;
    private @Nullable Timer timeout;
    private @Nullable Timer quarantineEnd;
    private String toldReason = "";
    private long delayMillis;
    private boolean closed;

    /**
     * A usable connection.
     *
     * @param groups the locks whose requests the server carries out
     */
    record Up(RemoteLink link, NodeMessage.Hello hello, LockGroups groups, long sinceNanos) {}

    /**
     * The reason why there is no connection.
     *
     * @param setup whether only a change of the setup helps
     */
    private record Problem(String reason, boolean setup) {}

    /**
     * Creates a session that has not started.
     *
     * @param oneOfSeveral whether the server must belong to a cluster
     */
    RemoteSession(NodeContext context, RemoteSockets sockets, boolean oneOfSeveral) {
        this.context = context;
        this.sockets = sockets;
        this.oneOfSeveral = oneOfSeveral;
    }

    /** Returns the connection; null while there is none. */
    @Nullable
    Up up() {
        return up;
    }

    String problem() {
        return problem.reason;
    }

    boolean isRefused() {
        return problem.setup;
    }

    // ---- quarantine

    /**
     * Returns in how many ms the server's votes count for requests of this ttl; 0 if they count now. The session notifies the listener when that time ends.
     */
    long quarantineMillis(long ttlMillis) {
        Up now = up;
        if (now == null) {
            return 0;
        }
        long remaining = remainingMillis(now, ttlMillis);
        if (remaining > 0) {
            tellWhenItEnds(remaining);
        }
        return remaining;
    }

    /** Returns the rest of the quarantine in ms. A server that remembers its votes reports the rest itself. For any other server it follows from the server's age. */
    private long remainingMillis(Up now, long ttlMillis) {
        long since = TimeUnit.NANOSECONDS.toMillis(context.timing().ticker().nanos() - now.sinceNanos);
        long byItself = now.hello.quarantineMillis() - since;
        long byAge = now.hello.remembers()
                ? 0
                : context.times().quarantineMillis().applyAsLong(ttlMillis) - now.hello.uptimeMillis() - since;
        return Math.max(Math.max(byItself, byAge), 0);
    }

    private synchronized void tellWhenItEnds(long remainingMillis) {
        if (!closed && quarantineEnd == null) {
            quarantineEnd = context.timing()
                    .scheduler()
                    .schedule(TimeUnit.MILLISECONDS.toNanos(remainingMillis), this::quarantineMayHaveEnded);
        }
    }

    private void quarantineMayHaveEnded() {
        synchronized (this) {
            quarantineEnd = null;
        }
        Up now = up;
        if (now != null) {
            context.listener().available(now.hello.serverId());
        }
    }

    // ---- connecting

    /** Connects on a worker, since asking for the token may block. */
    void start() {
        context.timing().scheduler().execute(this::connect);
    }

    private void connect() {
        RemoteLink link;
        CompletableFuture<Void> begun = new CompletableFuture<>();
        long connectNanos = context.options().connectTimeout().toNanos();
        synchronized (this) {
            if (closed) {
                return;
            }
            LinkEvents events = new LinkEvents();
            link = new RemoteLink(context.timing(), connectNanos, events::notice, events::end);
            events.link = link;
            current = link;
            // The time to load classes and to wait for a supplier of tokens does not count against the server.
            timeout = RunningTimeout.startConnecting(
                    context.timing(),
                    connectNanos,
                    step -> begun.thenRun(() -> context.timing().scheduler().execute(step)),
                    () -> failed(link, new Problem(whyNoAnswer(begun.isDone(), connectNanos), false)));
        }
        greet(link);
        try {
            CompletionStage<WebSocket> opening = sockets.open(link);
            begun.complete(null);
            opening.whenComplete((socket, failure) -> {
                if (failure != null) {
                    failed(link, problem(failure));
                }
            });
        } catch (RuntimeException | LinkageError e) { // from the supplier of tokens, or from the certificate files
            failed(link, problem(e));
        }
    }

    private String whyNoAnswer(boolean begun, long connectNanos) {
        return begun
                ? "no answer within " + connectNanos / 1_000_000 + " ms while connecting" + sockets.tlsHint()
                : "this client has not begun to connect within " + RunningTimeout.LONGEST_TURN.toSeconds()
                        + " s: it is still loading classes, or waiting for its token";
    }

    /** The listener for one link, which it knows. */
    private final class LinkEvents {

        private volatile @Nullable RemoteLink link;

        void notice(NodeMessage message) {
            if (message instanceof NodeMessage.Pushed pushed && up != null) {
                context.listener().pushed(pushed.push());
            } else if (message instanceof NodeMessage.Leads leads) {
                leads(link, leads);
            } else if (message instanceof NodeMessage.Follows follows) {
                String remedy = oneOfSeveral ? "" : "; name all servers of the cluster in the URI";
                follows(link, follows.reason() + remedy);
            }
        }

        void end(String reason) {
            RemoteLink ended = link;
            if (ended != null) {
                failed(ended, new Problem(reason, false));
            }
        }
    }

    private Problem problem(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (!(cause instanceof WebSocketHandshakeException handshake)) {
            String words = ConnectFailure.words(cause);
            String hint = ConnectFailure.isUnexplained(words) ? sockets.tlsHint() : "";
            return new Problem(words + hint, cause instanceof IllegalArgumentException);
        }
        int status = handshake.getResponse().statusCode();
        return switch (status) {
            case 401 -> new Problem("the server wants a token, or does not know this one", true);
            case 403 -> new Problem("the token lacks a right at the server", true);
            case 400, 404, 405, 426 ->
                new Problem("there is no Holdfast server at this address; check the host and the port", true);
            case 421 -> new Problem("the server has no tokens, so it answers only requests to localhost", true);
            default -> new Problem("the server refuses the connection (HTTP " + status + ")", false);
        };
    }

    /** Sends the first message, and waits for the answer to it. */
    private void greet(RemoteLink link) {
        link.<Object>ask(
                        new NodeRequest.Hello(NodeRequest.PROTOCOL, context.client()),
                        answer -> answer,
                        unavailable -> unavailable)
                .thenAccept(answer -> {
                    if (answer instanceof NodeMessage.Member one && one.groups() > 1 && !oneOfSeveral) {
                        failed(
                                link,
                                new Problem(
                                        "the cluster divides its locks into " + one.groups()
                                                + " groups, which different servers lead; name all its servers in the URI",
                                        true));
                    } else if (answer instanceof NodeMessage.Member introduced) {
                        greeted(link, introduced);
                    } else if (answer instanceof NodeMessage.Hello && oneOfSeveral) {
                        failed(
                                link,
                                new Problem(
                                        "the server belongs to no cluster; give each independent server a URI of its own",
                                        true));
                    } else if (answer instanceof NodeMessage.Hello hello) {
                        opened(link, hello);
                    } else if (answer instanceof Unavailable refusal && link.isOpen()) {
                        failed(link, new Problem(refusal.reason(), true));
                    }
                })
                .exceptionally(
                        failure -> { // otherwise the node would stay down forever
                            LOG.log(Level.ERROR, "Opening a connection to a server failed", failure);
                            failed(
                                    link,
                                    new Problem(
                                            "the connection could not be opened: " + ConnectFailure.words(failure),
                                            false));
                            return null;
                        });
    }

    private void opened(RemoteLink link, NodeMessage.Hello hello) {
        synchronized (this) {
            if (closed || current != link) {
                return;
            }
            cancel(timeout);
            delayMillis = 0;
            toldReason = "";
            context.listener().identified(hello.serverId()); // before this connection carries any request
            up = new Up(link, hello, LockGroups.WHOLE, context.timing().ticker().nanos());
        }
        quarantineMillis(context.times().ttlMillis());
        context.listener().available(hello.serverId());
    }

    // ---- a server of a cluster

    private void greeted(RemoteLink link, NodeMessage.Member introduced) {
        if (oneOfSeveral) {
            context.listener().identified(introduced.cluster()); // also if the server does not lead
        }
        synchronized (this) {
            if (closed || current != link) {
                return;
            }
            cancel(timeout);
            delayMillis = 0;
            member = introduced;
        }
    }

    private void leads(@Nullable RemoteLink link, NodeMessage.Leads notice) {
        synchronized (this) {
            NodeMessage.Member leader = member;
            if (closed || link == null || current != link || leader == null) {
                return;
            }
            toldReason = "";
            context.listener().identified(notice.cluster()); // before this connection carries any request
            NodeMessage.Hello hello = new NodeMessage.Hello(
                    notice.cluster(), leader.version(), leader.uptimeMillis(), 0, true, Persistence.ALL);
            up = new Up(link, hello, notice.groups(), context.timing().ticker().nanos());
        }
        context.listener().available(notice.cluster());
    }

    private void follows(@Nullable RemoteLink link, String reason) {
        synchronized (this) {
            if (closed || current != link) {
                return;
            }
            up = null;
            problem = new Problem(reason, false);
            toldReason = reason;
        }
        context.listener().unavailable(reason);
    }

    // ---- the end

    private void failed(RemoteLink link, Problem why) {
        boolean tell;
        synchronized (this) {
            if (closed || current != link) {
                return;
            }
            leave();
            problem = why;
            long first = why.setup ? FIRST_REFUSED_DELAY_MILLIS : FIRST_DELAY_MILLIS;
            long longest = why.setup ? LONGEST_REFUSED_DELAY_MILLIS : LONGEST_DELAY_MILLIS;
            delayMillis = Math.min(Math.max(delayMillis * 2, first), longest);
            long half = TimeUnit.MILLISECONDS.toNanos(delayMillis) / 2;
            retry = context.timing()
                    .scheduler()
                    .schedule(half + context.timing().random().nextLong(half), this::start);
            tell = !why.reason.equals(toldReason);
            toldReason = why.reason;
        }
        link.close();
        if (tell && why.setup) {
            context.listener().refused(why.reason);
        } else if (tell) {
            context.listener().unavailable(why.reason);
        }
    }

    private void leave() {
        up = null;
        current = null;
        member = null;
        cancel(timeout);
        cancel(quarantineEnd);
        quarantineEnd = null;
    }

    private static void cancel(@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    void close() {
        RemoteLink last;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            last = current;
            leave();
            cancel(retry);
            problem = new Problem("closed", false);
        }
        if (last != null) {
            last.close();
        }
    }
}
