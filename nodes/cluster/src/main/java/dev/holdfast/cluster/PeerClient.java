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
import com.alipay.sofa.jraft.util.Endpoint;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The connections that a server opens to the others, one to each. Thread-safe. */
final class PeerClient implements RpcClient {

    private static final System.Logger LOG = System.getLogger(PeerClient.class.getName());

    /** The bytes of unanswered requests for which a socket's buffers have room in any case. */
    private static final long MOST_UNANSWERED_BYTES = 64 * 1024;

    /** How long the other server may be silent while requests run out of time, before the connection counts as dead. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<Endpoint, Outgoing> connections = new ConcurrentHashMap<>();
    private final Map<Endpoint, Object> connectLocks = new ConcurrentHashMap<>();
    private final Set<Endpoint> connecting = ConcurrentHashMap.newKeySet();
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

    /** Returns whether there is a connection. If not, it begins to open one in the background, if asked to: the caller may hold locks of the engine. */
    @Override
    public boolean checkConnection(Endpoint endpoint, boolean createIfAbsent) {
        boolean open = checkConnection(endpoint);
        if (!open && createIfAbsent && connecting.add(endpoint)) {
            timing().scheduler().execute(() -> {
                try {
                    connection(endpoint);
                } catch (RemotingException e) {
                    LOG.log(Level.DEBUG, "No connection to " + endpoint, e);
                } finally {
                    connecting.remove(endpoint);
                }
            });
        }
        return open;
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

    private Outgoing connection(Endpoint endpoint) throws RemotingException {
        Outgoing open = connections.get(endpoint);
        if (open != null && open.isOpen()) {
            return open;
        }
        synchronized (connectLocks.computeIfAbsent(endpoint, any -> new Object())) {
            open = connections.get(endpoint);
            if (open == null || !open.isOpen()) {
                open = connect(endpoint);
                connections.put(endpoint, open);
            }
        }
        if (closed) {
            open.close();
        }
        return open;
    }

    private Outgoing connect(Endpoint endpoint) throws RemotingException {
        if (closed) {
            throw new RemotingException("this server closes");
        }
        Outgoing outgoing = new Outgoing(endpoint);
        try {
            PeerConnection connection = chosen().sockets().connect(endpoint.getIp(), endpoint.getPort(), outgoing);
            outgoing.connection = connection;
            connection.start(timing().scheduler(), "peer-" + endpoint);
            return outgoing;
        } catch (IOException e) {
            throw new ConnectionFailureException("no connection to " + endpoint + ": " + e.getMessage(), e);
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

    @Override
    public Object invokeSync(Endpoint endpoint, Object request, @Nullable InvokeContext context, long timeoutMillis)
            throws InterruptedException, RemotingException {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        invokeAsync(
                endpoint,
                request,
                context,
                (result, failure) -> {
                    if (failure == null) {
                        answer.complete(result);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                },
                timeoutMillis);
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RemotingException one ? one : new RemotingException(e.getCause());
        }
    }

    @Override
    public void invokeAsync(
            Endpoint endpoint,
            Object request,
            @Nullable InvokeContext context,
            InvokeCallback callback,
            long timeoutMillis)
            throws RemotingException {
        connection(endpoint).ask(request, callback, timeoutMillis);
    }

    /** A request without an answer yet. */
    private static final class Call {

        final InvokeCallback callback;
        final int bytes;
        final AtomicBoolean done = new AtomicBoolean();
        volatile @Nullable Timer timer;

        Call(InvokeCallback callback, int bytes) {
            this.callback = callback;
            this.bytes = bytes;
        }
    }

    /** The connection to one other server. */
    private final class Outgoing implements PeerConnection.Receiver {

        private final Endpoint endpoint;
        private final Map<Long, Call> calls = new ConcurrentHashMap<>();
        private final AtomicLong ids = new AtomicLong();
        private final AtomicLong unanswered = new AtomicLong(); // in bytes
        private volatile long heardNanos = timing().ticker().nanos();
        private volatile @Nullable PeerConnection connection;

        Outgoing(Endpoint endpoint) {
            this.endpoint = endpoint;
        }

        boolean isOpen() {
            PeerConnection open = connection;
            return open != null && open.isOpen();
        }

        void close() {
            PeerConnection open = connection;
            if (open != null) {
                open.close();
            }
        }

        void ask(Object request, InvokeCallback callback, long timeoutMillis) throws RemotingException {
            long id = ids.incrementAndGet();
            byte[] frame =
                    new PeerConnection.Frame(id, false, PeerCodec.type(request), PeerCodec.bytes(request)).bytes();
            Call call = new Call(callback, frame.length);
            calls.put(id, call);
            boolean fits = unanswered.addAndGet(frame.length) <= MOST_UNANSWERED_BYTES;
            call.timer = timing().scheduler()
                    .schedule(TimeUnit.MILLISECONDS.toNanos(timeoutMillis), () -> expire(call, timeoutMillis));
            try {
                PeerConnection open = connection;
                if (open == null || !open.isOpen()) {
                    throw new IOException("the connection has ended");
                }
                open.send(frame, fits);
            } catch (IOException e) {
                if (forget(id) != null) {
                    throw new RemotingException("no connection to " + endpoint + ": " + e.getMessage(), e);
                }
            }
        }

        private @Nullable Call forget(long id) {
            Call call = calls.remove(id);
            if (call == null) {
                return null;
            }
            unanswered.addAndGet(-call.bytes);
            Timer timer = call.timer;
            if (timer != null) {
                timer.cancel();
            }
            return call.done.compareAndSet(false, true) ? call : null;
        }

        /** Gives up the answer. The request still counts as unanswered: its bytes may be in the buffers of a server that stands still. */
        private void expire(Call call, long timeoutMillis) {
            if (call.done.compareAndSet(false, true)) {
                fail(call, new InvokeTimeoutException("no answer of " + endpoint + " within " + timeoutMillis + " ms"));
                if (timing().ticker().nanos() - heardNanos > SILENCE_NANOS) {
                    close();
                }
            }
        }

        @Override
        public void received(PeerConnection.Frame frame) {
            heardNanos = timing().ticker().nanos();
            Call call = frame.isAnswer() ? forget(frame.id()) : null;
            if (call == null) {
                return; // it comes too late
            }
            Object answer;
            try {
                answer = PeerCodec.read(frame.type(), frame.content());
            } catch (RuntimeException e) {
                fail(call, new RemotingException("the answer of " + endpoint + " cannot be read", e));
                return;
            }
            if (answer instanceof AppendEntriesResponse) {
                complete(call, answer, null);
            } else {
                execute(call, () -> complete(call, answer, null));
            }
        }

        private void fail(Call call, RemotingException failure) {
            execute(call, () -> complete(call, null, failure));
        }

        private void execute(Call call, Runnable task) {
            Executor own = call.callback.executor();
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

        private static void complete(Call call, @Nullable Object answer, @Nullable RemotingException failure) {
            try {
                call.callback.complete(answer, failure);
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "The answer of another server cannot be handled", e);
            }
        }

        @Override
        public void ended(IOException why) {
            connections.remove(endpoint, this);
            RemotingException failure =
                    new RemotingException("the connection to " + endpoint + " has ended: " + why, why);
            for (Long id : calls.keySet()) {
                Call call = forget(id);
                if (call != null) {
                    fail(call, failure);
                }
            }
        }
    }
}
