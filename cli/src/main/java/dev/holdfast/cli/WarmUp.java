package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cluster.ClusterConfig;
import dev.holdfast.lock.Lease;
import dev.holdfast.redis.process.FileTree;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.server.LockServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A warm-up run: it does what most runs do, on servers of its own, so that the launcher can archive the classes that most runs need. It fails if one of them
 * fails, since the archive then lacks classes.
 */
public final class WarmUp {

    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    private WarmUp() {}

    /** Runs the warm-up; it takes no arguments. */
    public static void main(String[] args) throws IOException, InterruptedException {
        try (RedisProcesses servers =
                RedisProcesses.start(3)) { // with one node, a client would not watch its clock and its restarts
            Main.prepareDriver(List.of("status", "--node", servers.uris().get(0).toString()));
            run(servers, "run", "-w", "1", "warm-up", "--", "true");
            run(servers, "status", "warm-up");
            run(servers, "nodes", "--json");
            run(servers, "list");
            breakLease(servers);
        }
        serve();
        serveCluster();
        run("serve", "--help");
        run("--version");
        run("--help");
        Main.run("misspelt");
        System.exit(ExitCode.OK);
    }

    /** Runs a command on these nodes. */
    private static void run(RedisProcesses nodes, String... words) {
        List<String> arguments = new ArrayList<>();
        nodes.uris().forEach(node -> arguments.addAll(List.of("--node", node.toString())));
        arguments.addAll(List.of(words));
        run(arguments.toArray(String[]::new));
    }

    private static void run(String... words) {
        int code = Main.run(words);
        if (code != ExitCode.OK) {
            System.err.println("holdfast " + String.join(" ", words) + " ended with " + code);
            System.exit(ExitCode.INTERNAL);
        }
    }

    /** Breaks a lease by its token. */
    private static void breakLease(RedisProcesses nodes) throws InterruptedException {
        String[] uris = nodes.uris().stream().map(URI::toString).toArray(String[]::new);
        try (Holdfast holdfast = Holdfast.connect(uris);
                Lease lease = holdfast.lock("warm-up").acquire()) {
            String token = String.valueOf(lease.fencingToken());
            run(nodes, "break", "warm-up", "--token", token, "--reason", "warm-up", "--yes");
        }
    }

    /** Starts a lock server, and acquires, extends and releases a lock on it. */
    private static void serve() throws IOException {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Matcher lease = ID.matcher(ask(server, "/v1/leases", "{\"lock\":\"warm-up\",\"ttl\":\"10s\"}"));
            if (lease.find()) {
                ask(server, "/v1/leases/" + lease.group(1) + "/extend", "{}");
                ask(server, "/v1/leases/" + lease.group(1) + "/release", "{}");
            }
        }
    }

    /** Starts the only server of a cluster, and runs a command under a lock of the cluster. */
    private static void serveCluster() throws IOException {
        Path data = Files.createTempDirectory("holdfast-warm-up");
        int port = FreePort.pick();
        String uri = "holdfast://127.0.0.1:" + port;
        ClusterConfig config = new ClusterConfig(
                "warm-up",
                "a",
                Map.of("a", "127.0.0.1:" + FreePort.pick()),
                data,
                ClusterConfig.Start.CREATE,
                ClusterConfig.Options.defaults());
        try (LockServer server = LockServer.builder()
                .port(port)
                .cluster(config, Map.of("a", uri))
                .start()) {
            run("run", "--node", uri, "-w", "30", "warm-up", "--", "true");
        } finally {
            FileTree.delete(data);
        }
    }

    private static String ask(LockServer server, String path, String json) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) server.uri().resolve(path).toURL().openConnection();
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        connection.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
        return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
