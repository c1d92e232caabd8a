package dev.holdfast.cluster;

import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.RaftRpcServerFactory;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.util.Endpoint;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.time.Scheduler;
import dev.holdfast.time.Timing;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import javax.net.ssl.SSLException;

/** One server's traffic with the others: the engine's messages, and questions beside the log, on one port and under the same TLS. Thread-safe. */
final class PeerTraffic implements AutoCloseable {

    private final ClusterConfig config;
    private final PeerRpc.PeerOptions options;
    private final Scheduler scheduler;
    private final RpcServer server;
    private final RpcClient client;
    private volatile boolean started;

    /**
     * Creates the traffic without starting it.
     *
     * @param answerer answers the questions of other servers; it must not wait for other servers
     */
    PeerTraffic(
            ClusterConfig config,
            Timing timing,
            PeerSockets sockets,
            Function<PeerMessage, CompletableFuture<PeerMessage>> answerer) {
        this.config = config;
        this.scheduler = timing.scheduler();
        this.options = new PeerRpc.PeerOptions(sockets, timing);
        Endpoint self = JRaftUtils.getPeerId(config.address()).getEndpoint();
        this.server = new PeerServer(self, sockets, scheduler);
        RaftRpcServerFactory.addRaftRequestProcessors(server);
        server.registerProcessor(new Answers(answerer));
        this.client = new PeerClient();
    }

    /**
     * Starts to listen at the server's own address.
     *
     * @throws HoldfastException if the address cannot be used
     */
    void start() {
        try {
            if (!server.init(null)) {
                throw new HoldfastException("the address is in use");
            }
            client.init(options);
            started = true;
        } catch (RuntimeException e) {
            throw new HoldfastException(
                    "server " + config.name() + " cannot start at " + config.address() + ": " + cause(e).getMessage());
        }
    }

    /** Returns the first cause, such as a failed bind. The engine's own messages do not contain it. */
    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    RpcServer server() {
        return server;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    /** Sets what to do when a connection ends that another server has opened. The task must return at once. */
    void onConnectionEnd(Runnable task) {
        server.registerConnectionClosedEventListener((address, connection) -> task.run());
    }

    /**
     * Asks another server.
     *
     * @return completes with the answer, or exceptionally if there is none within this time, or if the other server does not run
     */
    CompletableFuture<PeerMessage> ask(String address, PeerMessage question, Duration patience) {
        CompletableFuture<PeerMessage> answer = new CompletableFuture<>();
        try {
            client.invokeAsync(
                    JRaftUtils.getPeerId(address).getEndpoint(),
                    question,
                    (result, failure) -> {
                        if (failure == null) {
                            answer.complete((PeerMessage) result);
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    },
                    patience.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.completeExceptionally(e);
        } catch (RemotingException | RuntimeException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    /** Returns why a question failed, in words, if the two servers do not trust each other's certificates; empty for any other reason. */
    static Optional<String> distrust(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                String message = String.valueOf(cause.getMessage()); // begins with the names of Java's classes
                return Optional.of("no TLS connection, check the keys of both servers: "
                        + message.substring(message.lastIndexOf(": ") + 1).strip());
            }
        }
        return Optional.empty();
    }

    /** Returns whether a question failed because nothing listens at the port of the other server. A machine that is silent refuses nothing. */
    static boolean isRefusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        if (started) {
            client.shutdown();
        }
        if (server.isStarted()) {
            server.shutdown();
        }
    }

    private record Answers(Function<PeerMessage, CompletableFuture<PeerMessage>> answerer)
            implements RpcProcessor<PeerMessage> {

        @Override
        public void handleRequest(RpcContext context, PeerMessage question) {
            CompletableFuture.completedFuture(question)
                    .thenCompose(answerer)
                    .exceptionally(failure -> new PeerMessage(Map.of("problem", String.valueOf(failure.getMessage()))))
                    .thenAccept(context::sendResponse);
        }

        @Override
        public String interest() {
            return PeerMessage.class.getName();
        }
    }
}
