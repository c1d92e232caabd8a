package dev.holdfast.server.view;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.cluster.ClusterConfig;
import dev.holdfast.cluster.ClusterConfig.Start;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Limits;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.LockServerBuilder;
import dev.holdfast.server.Right;
import dev.holdfast.server.SwitchedNodes;
import dev.holdfast.server.node.ServedCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lock servers that a test in another language starts, disturbs and ends by HTTP. The requests are {@code /start?nodes=3&tokens=true}, {@code
 * /start?memory=NAME} (in front of a node that all servers of this name share), {@code /start?data=true} (with a folder for data), {@code /stop}, {@code /again} (at the same port), and {@code
 * /node?number=0&state=down}. Each has the {@code id=} of the server, which {@code /start} answers with its address.
 *
 * <p>{@code /cluster} starts a cluster of three servers, and {@code /cluster/stop?name=a} and {@code /cluster/again?name=a} stop one of them and start it again.
 */
final class Lab implements AutoCloseable {

    static final String OPERATOR = "operator-secret-0123456789";
    static final String READER = "reader-secret-0123456789";

    /** Snapshots often enough that a test sees one. */
    private static final ClusterConfig.Options OFTEN =
            new ClusterConfig.Options(1, Duration.ofSeconds(1), Duration.ofSeconds(2), null);

    private static final Limits LIMITS = Limits.defaults().withLeases(20_000, 20_000);

    private final HttpServer control;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<Integer, Served> servers = new HashMap<>();
    private final Map<Integer, ServedCluster> clusters = new HashMap<>();
    private int clustersStarted;
    private final Path folder;

    /** A server, and how to start it again. */
    private static final class Served {
        private final SwitchedNodes nodes = new SwitchedNodes();
        private final int count;
        private final boolean tokens;
        private final String memory;
        private final @Nullable Path data;
        private int port;
        private LockServer server;

        Served(int count, boolean tokens, String memory, @Nullable Path data) {
            this.count = count;
            this.tokens = tokens;
            this.memory = memory;
            this.data = data;
            this.server = start();
        }

        private LockServer start() {
            LockServerBuilder builder = LockServer.builder().port(port).limits(LIMITS);
            if (count > 0) {
                builder.client(nodes.client(count));
            } else if (!memory.isEmpty()) {
                builder.nodes("memory:" + memory);
            }
            if (data != null) {
                builder.data(data);
            }
            if (tokens) {
                builder.tokens(List.of(
                        new AccessToken("operator", OPERATOR, List.of(""), EnumSet.allOf(Right.class)),
                        new AccessToken("reader", READER, List.of("orders:"), Set.of(Right.READ))));
            }
            LockServer started = builder.start();
            port = started.uri().getPort();
            return started;
        }
    }

    /**
     * Starts the control.
     *
     * @param folder for the data of clusters
     */
    Lab(Path folder) throws IOException {
        this.folder = folder;
        control = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        control.setExecutor(threads);
        control.createContext("/", this::answer);
        control.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + control.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) {
        try (exchange) {
            int status = 200;
            String text;
            try {
                text = carryOut(exchange.getRequestURI());
            } catch (RuntimeException e) {
                status = 500;
                text = e.toString();
            }
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized String carryOut(URI request) {
        Map<String, String> given = new HashMap<>();
        for (String pair : String.valueOf(request.getQuery()).split("&")) {
            String[] parts = pair.split("=", 2);
            given.put(parts[0], parts.length == 2 ? parts[1] : "");
        }
        if (request.getPath().startsWith("/cluster")) {
            return carryOutAtCluster(request.getPath(), given);
        }
        int id = Integer.parseInt(given.getOrDefault("id", Integer.toString(servers.size())));
        switch (request.getPath()) {
            case "/start" ->
                servers.put(
                        id,
                        new Served(
                                Integer.parseInt(given.getOrDefault("nodes", "0")),
                                Boolean.parseBoolean(given.get("tokens")),
                                given.getOrDefault("memory", ""),
                                Boolean.parseBoolean(given.get("data")) ? folder.resolve("server" + id) : null));
            case "/stop" -> of(id).server.close();
            case "/again" -> of(id).server = of(id).start();
            case "/node" -> disturb(of(id).nodes, given);
            default -> throw new IllegalArgumentException("nothing is known of " + request);
        }
        return "{\"id\":" + id + ",\"uri\":\"" + of(id).server.uri() + "\"}";
    }

    private String carryOutAtCluster(String path, Map<String, String> given) {
        int id = Integer.parseInt(given.getOrDefault("id", Integer.toString(clustersStarted++)));
        String name = given.getOrDefault("name", "a");
        switch (path) {
            case "/cluster" -> clusters.put(id, new ServedCluster(folder.resolve("cluster" + id), OFTEN));
            case "/cluster/stop" -> clusters.get(id).stop(name);
            case "/cluster/again" -> clusters.get(id).start(name, Start.RESUME);
            case "/cluster/end" -> clusters.remove(id).close();
            default -> throw new IllegalArgumentException("nothing is known of " + path);
        }
        ServedCluster cluster = clusters.get(id);
        if (path.equals("/cluster")) {
            cluster.awaitReady(cluster.leader());
        }
        String uris = cluster == null
                ? ""
                : cluster.servers().entrySet().stream()
                        .map(server -> "\"" + server.getKey() + "\":\""
                                + server.getValue().uri() + "\"")
                        .collect(Collectors.joining(","));
        return "{\"id\":" + id + ",\"servers\":{" + uris + "}}";
    }

    private static void disturb(SwitchedNodes nodes, Map<String, String> given) {
        int number = Integer.parseInt(given.get("number"));
        long millis = Long.parseLong(given.getOrDefault("millis", "0"));
        String state = given.getOrDefault("state", "").toUpperCase(Locale.ROOT);
        if (state.equals("FORGETFUL")) {
            nodes.forget(number, millis);
        } else {
            nodes.set(number, NodeStatus.State.valueOf(state), millis);
        }
    }

    private Served of(int id) {
        Served served = servers.get(id);
        if (served == null) {
            throw new IllegalArgumentException("there is no server " + id);
        }
        return served;
    }

    @Override
    public synchronized void close() {
        control.stop(0);
        threads.shutdownNow();
        servers.values().forEach(served -> served.server.close());
        clusters.values().forEach(ServedCluster::close);
    }
}
