package dev.holdfast.cluster;

import com.alipay.sofa.jraft.ReplicatorGroup;
import com.alipay.sofa.jraft.error.ConnectionFailureException;
import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.InvokeContext;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import com.alipay.sofa.jraft.util.Endpoint;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The connections that a server opens to the others, one to each. Thread-safe.
 *
 * <p>No method waits for the network: the engine calls some of them while it holds locks which nearly all of its methods need. A connection opens in the
 * background, and requests wait until it is open.
 */
final class PeerClient implements RpcClient {

    private static final System.Logger LOG = System.getLogger(PeerClient.class.getName());

    /** The bytes of unanswered requests for which a socket's buffers have room in any case. */
    private static final long MOST_UNANSWERED_BYTES = 64 * 1024;

    /** How long the other server may be silent while requests run out of time, before the connection counts as dead. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<Endpoint, Outgoing> connections = new ConcurrentHashMap<>();
    private volatile PeerRpc.@Nullable PeerOptions options;
    private volatile boolean closed;

    @Override
    public boolean init(RpcOptions chosen) {
        options = (PeerRpc.PeerOptions) chosen;
        return true;
    }

    @Override
    public void shutdown() {
        closed = true;
        connections.values().forEach(Outgoing::close);
    }

    // ---- connections

    @Override
    public boolean checkConnection(Endpoint endpoint) {
        Outgoing outgoing = connections.get(endpoint);
        return outgoing != null && outgoing.isOpen();
    }

    /** Returns whether requests can be sent. If there is no connection, it begins to open one if asked to, and returns true unless this server closes. */
    @Override
    public boolean checkConnection(Endpoint endpoint, boolean createIfAbsent) {
        return (createIfAbsent && !closed) ? connection(endpoint).isOpen() : checkConnection(endpoint);
    }

    @Override
    public void closeConnection(Endpoint endpoint) {
        Outgoing outgoing = connections.get(endpoint);
        if (outgoing != null) {
            outgoing.close();
        }
    }

    /** Has no effect: the engine would restart replicators whose peers have no number, and Holdfast's have one. It restarts them anyway. */
    @Override
    public void registerConnectEventListener(ReplicatorGroup replicatorGroup) {}

    private Outgoing connection(Endpoint endpoint) {
        Outgoing open = connections.get(endpoint);
        if (open == null || !open.isOpen()) {
            open = connections.compute(
                    endpoint, (same, last) -> last != null && last.isOpen() ? last : new Outgoing(endpoint));
        }
        if (closed) { // shutdown() may not have seen this connection
            open.close();
        }
        return open;
    }

    private void requireRunning() throws RemotingException {
        if (closed) {
            throw new RemotingException("this server closes");
        }
    }

    private PeerRpc.PeerOptions chosen() {
        PeerRpc.PeerOptions known = options;
        if (known == null) {
            throw new IllegalStateException("init comes first");
        }
        return known;
    }

    private Timing timing() {
        return chosen().timing();
    }

    // ---- requests

    /**
     * Answers a ping, with which the engine opens a connection before it sends votes, entries or snapshots. It is answered here: the engine holds its locks
     * meanwhile, and needs no more than a connection that takes requests. The request that follows shows whether the other server answers.
     */
    @Override
    public Object invokeSync(Endpoint endpoint, Object request, @Nullable InvokeContext context, long timeoutMillis)
            throws RemotingException {
        requireRunning();
        if (!(request instanceof PingRequest)) {
            throw new UnsupportedOperationException("only pings are answered at once, and this is " + request);
        }
        connection(endpoint);
        return ErrorResponse.newBuilder().setErrorCode(0).build();
    }

    @Override
    public void invokeAsync(
            Endpoint endpoint,
            Object request,
            @Nullable InvokeContext context,
            InvokeCallback callback,
            long timeoutMillis)
            throws RemotingException {
        requireRunning();
        connection(endpoint).ask(request, callback, timeoutMillis);
    }

    /** A request without an answer yet, with the callback for it. A request that has timed out has no callback, since that keeps the whole request in memory. */
    private static final class Call extends AtomicReference<@Nullable InvokeCallback> {

        private static final long serialVersionUID = 1;

        final int bytes;
        transient volatile @Nullable Timer timer;

        Call(InvokeCallback callback, int bytes) {
            super(callback);
            this.bytes = bytes;
        }
    }

    /** The connection to one other server. */
    private final class Outgoing implements PeerConnection.Receiver {

        private final Endpoint endpoint;
        private final Map<Long, Call> calls = new ConcurrentHashMap<>();
        private final AtomicLong ids = new AtomicLong();
        private final AtomicLong unanswered = new AtomicLong(); // in bytes
        private final PeerConnection connection;
        private volatile long heardNanos = timing().ticker().nanos();
        private volatile @Nullable RemotingException end;

        Outgoing(Endpoint endpoint) {
            this.endpoint = endpoint;
            this.connection = chosen().sockets().connect(endpoint.getIp(), endpoint.getPort(), this);
            connection.start(timing().scheduler(), "peer-" + endpoint);
        }

        boolean isOpen() {
            return connection.isOpen();
        }

        void close() {
            connection.close();
        }

        void ask(Object request, InvokeCallback callback, long timeoutMillis) {
            long id = ids.incrementAndGet();
            byte[] frame =
                    new PeerConnection.Frame(id, false, PeerCodec.type(request), PeerCodec.bytes(request)).bytes();
            Call call = new Call(callback, frame.length);
            calls.put(id, call);
            boolean fits = unanswered.addAndGet(frame.length) <= MOST_UNANSWERED_BYTES;
            call.timer = timing().scheduler()
                    .schedule(TimeUnit.MILLISECONDS.toNanos(timeoutMillis), () -> expire(call, timeoutMillis));
            try {
                connection.send(frame, fits);
            } catch (IOException e) {
                RemotingException known = end;
                if (known != null) { // otherwise ended() comes, and fails all calls with the reason
                    fail(id, known);
                }
            }
        }

        private void fail(long id, RemotingException failure) {
            InvokeCallback callback = forget(id);
            if (callback != null) {
                fail(callback, failure);
            }
        }

        /** Removes a request, and returns its callback. Returns null if the request has timed out, or has been removed before. */
        private @Nullable InvokeCallback forget(long id) {
            Call call = calls.remove(id);
            if (call == null) {
                return null;
            }
            unanswered.addAndGet(-call.bytes);
            Timer timer = call.timer;
            if (timer != null) {
                timer.cancel();
            }
            return call.getAndSet(null);
        }

        /** Gives up the answer. The request still counts as unanswered: its bytes may be in the buffers of a server that stands still. */
        private void expire(Call call, long timeoutMillis) {
            InvokeCallback callback = call.getAndSet(null);
            if (callback != null) {
                fail(
                        callback,
                        new InvokeTimeoutException("no answer of " + endpoint + " within " + timeoutMillis + " ms"));
                if (timing().ticker().nanos() - heardNanos > SILENCE_NANOS) {
                    close();
                }
            }
        }

        @Override
        public void received(PeerConnection.Frame frame) {
            heardNanos = timing().ticker().nanos();
            InvokeCallback callback = frame.isAnswer() ? forget(frame.id()) : null;
            if (callback == null) {
                return; // it comes too late
            }
            Object answer;
            try {
                answer = PeerCodec.read(frame.type(), frame.content());
            } catch (RuntimeException e) {
                fail(callback, new RemotingException("the answer of " + endpoint + " cannot be read", e));
                return;
            }
            if (answer instanceof AppendEntriesResponse) {
                complete(callback, answer, null);
            } else {
                execute(callback, () -> complete(callback, answer, null));
            }
        }

        private void fail(InvokeCallback callback, RemotingException failure) {
            execute(callback, () -> complete(callback, null, failure));
        }

        private void execute(InvokeCallback callback, Runnable task) {
            Executor own = callback.executor();
            try {
                if (own == null) {
                    timing().scheduler().execute(task);
                } else {
                    own.execute(task);
                }
            } catch (RejectedExecutionException e) { // the engine has ended, and its caller may still wait
                timing().scheduler().execute(task);
            }
        }

        private static void complete(
                InvokeCallback callback, @Nullable Object answer, @Nullable RemotingException failure) {
            try {
                callback.complete(answer, failure);
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "The answer of another server cannot be handled", e);
            }
        }

        @Override
        public void ended(IOException why) {
            connections.remove(endpoint, this);
            RemotingException failure = connection.isAccepted()
                    ? new RemotingException("the connection to " + endpoint + " has ended: " + why, why)
                    : new ConnectionFailureException("no connection to " + endpoint + ": " + why.getMessage(), why);
            end = failure; // for requests that arrive too late for the loop
            calls.keySet().forEach(id -> fail(id, failure));
        }
    }
}
