package dev.holdfast.cluster;

import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.rpc.impl.ConnectionClosedEventListener;
import com.alipay.sofa.jraft.util.Endpoint;
import dev.holdfast.time.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The port at which a server hears the others. It hands each message to the engine's processor for it. Entries of the log are handled by the thread that reads
 * the connection, in their order. All other messages may wait for a disk or a lock, and are handled by workers. Thread-safe.
 */
final class PeerServer implements RpcServer {

    private static final System.Logger LOG = System.getLogger(PeerServer.class.getName());

    /** The most connections. Each group at each other server has two; the limit is for programs that are not servers. */
    static final int MOST_CONNECTIONS = 1_024;

    /** The longest answer that fits into a socket's buffers, however many wait there: the other server waits for only so many answers. */
    private static final int SMALL_ANSWER_BYTES = 1_024;

    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Endpoint self;
    private final PeerSockets sockets;
    private final Scheduler scheduler;
    private final Map<String, RpcProcessor<Object>> processors = new ConcurrentHashMap<>();
    private final List<ConnectionClosedEventListener> listeners = new CopyOnWriteArrayList<>();
    private final Set<Incoming> connections = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ServerSocket listener;
    private volatile boolean closed;
    private long accepted; // only the thread that accepts uses it

    PeerServer(Endpoint self, PeerSockets sockets, Scheduler scheduler) {
        this.self = self;
        this.sockets = sockets;
        this.scheduler = scheduler;
    }

    @Override
    public boolean init(@Nullable Void options) {
        try {
            ServerSocket opened = PeerSockets.listen(self.getIp(), self.getPort());
            listener = opened;
            scheduler.start("peers-accept", () -> accept(opened));
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(ServerSocket opened) {
        while (!closed) {
            try {
                open(opened.accept());
            } catch (IOException | RuntimeException e) { // such as too many open files
                if (!closed) {
                    LOG.log(Level.WARNING, "The connection of another server cannot be accepted: {0}", e.toString());
                    scheduler.schedule(REST_NANOS, () -> scheduler.start("peers-accept", () -> accept(opened)));
                }
                return;
            }
        }
    }

    private void open(Socket socket) throws IOException {
        if (connections.size() >= MOST_CONNECTIONS && !endOldestStranger()) {
            socket.close();
            return;
        }
        String address = socket.getRemoteSocketAddress().toString().substring(1);
        Incoming incoming = new Incoming(address, accepted++);
        PeerConnection connection = sockets.accept(socket, incoming);
        incoming.connection = connection;
        connections.add(incoming);
        try {
            connection.start(scheduler, "peers-" + address);
        } catch (OutOfMemoryError e) { // there can be no more threads now
            LOG.log(Level.WARNING, "The connection of {0} cannot be accepted: {1}", address, e.getMessage());
            connections.remove(incoming);
            connection.close();
        }
        if (closed) { // close() may not have seen this connection
            connection.close();
        }
    }

    /** Makes room for a connection, if there is one that has sent no message yet. A server sends one at once, and with TLS nothing else can. */
    private boolean endOldestStranger() {
        Optional<Incoming> oldest = connections.stream()
                .filter(incoming -> !incoming.heard)
                .min(Comparator.comparingLong(incoming -> incoming.number));
        oldest.ifPresent(incoming -> {
            connections.remove(incoming);
            incoming.close();
        });
        return oldest.isPresent();
    }

    @Override
    public void shutdown() {
        closed = true;
        ServerSocket opened = listener;
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "The port cannot be closed", e);
        }
        connections.forEach(Incoming::close);
    }

    @Override
    public void registerConnectionClosedEventListener(ConnectionClosedEventListener one) {
        listeners.add(one);
    }

    @Override
    @SuppressWarnings("unchecked") // a processor gets only messages of the type in which it is interested
    public void registerProcessor(RpcProcessor<?> processor) {
        processors.put(processor.interest(), (RpcProcessor<Object>) processor);
    }

    @Override
    public int boundPort() {
        ServerSocket opened = listener;
        return opened == null ? self.getPort() : opened.getLocalPort();
    }

    @Override
    public boolean isStarted() {
        return listener != null && !closed;
    }

    /** One connection that another server has opened. */
    private final class Incoming implements PeerConnection.Receiver, Connection {

        private final String address;
        private final Map<String, Object> attributes = new ConcurrentHashMap<>();
        private final long number;
        private volatile @Nullable PeerConnection connection;
        private volatile boolean heard;

        Incoming(String address, long number) {
            this.address = address;
            this.number = number;
        }

        @Override
        public void received(PeerConnection.Frame frame) {
            Object request = PeerCodec.read(frame.type(), frame.content());
            heard = true;
            RpcProcessor<Object> processor = processors.get(frame.type());
            if (frame.isAnswer() || processor == null) {
                LOG.log(Level.WARNING, "{0} sent a message that no server expects: {1}", address, frame.type());
                return;
            }
            Incoming sender = this;
            RpcContext context = new RpcContext() {
                @Override
                public void sendResponse(Object answer) {
                    answer(frame.id(), answer);
                }

                @Override
                public Connection getConnection() {
                    return sender;
                }

                @Override
                public String getRemoteAddress() {
                    return address;
                }
            };
            if (request instanceof AppendEntriesRequest) {
                handle(processor, context, request);
            } else {
                scheduler.execute(() -> handle(processor, context, request));
            }
        }

        private static void handle(RpcProcessor<Object> processor, RpcContext context, Object request) {
            try {
                processor.handleRequest(context, request);
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "A message of another server cannot be handled", e);
            }
        }

        private void answer(long id, Object answer) {
            PeerConnection open = connection;
            byte[] bytes = new PeerConnection.Frame(id, true, PeerCodec.type(answer), PeerCodec.bytes(answer)).bytes();
            try {
                if (open != null) {
                    open.send(bytes, bytes.length <= SMALL_ANSWER_BYTES);
                }
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "An answer for " + address + " is lost", e);
            }
        }

        @Override
        public void ended(IOException why) {
            connections.remove(this);
            LOG.log(Level.DEBUG, "The connection from " + address + " has ended", why);
            listeners.forEach(one -> one.onClosed(address, this));
        }

        @Override
        public @Nullable Object getAttribute(String key) {
            return attributes.get(key);
        }

        @Override
        public void setAttribute(String key, Object value) {
            attributes.put(key, value);
        }

        @Override
        public @Nullable Object setAttributeIfAbsent(String key, Object value) {
            return attributes.putIfAbsent(key, value);
        }

        @Override
        public void close() {
            PeerConnection open = connection;
            if (open != null) {
                open.close();
            }
        }
    }
}
