package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.JsonText;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.client.RemoteAddress;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** The servers of a cluster, over their HTTP API. */
final class ClusterServers {

    private static final String PATH = "/v1/cluster";

    /** How long a change or a backup may take: a new server gets all data first. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final List<ServerHttp> servers;

    private ClusterServers(List<ServerHttp> servers) {
        this.servers = servers;
    }

    /**
     * Returns the servers that the nodes name.
     *
     * @param nodes URIs with one server or several
     */
    static ClusterServers of(List<String> nodes, Settings settings) {
        NodeOptions options = settings.nodeOptions();
        List<ServerHttp> servers = new ArrayList<>();
        for (String uri : nodes) {
            try {
                RemoteAddress.list(uri).forEach(address -> servers.add(new ServerHttp(address, options)));
            } catch (IllegalArgumentException e) {
                throw Failure.usage(String.valueOf(e.getMessage()));
            }
        }
        return new ClusterServers(servers);
    }

    /** Returns the view of the first server that knows all leaders; that of any other one if there is none. */
    JsonNode view() {
        JsonNode found = null;
        List<Failure> failures = new ArrayList<>();
        for (ServerHttp server : servers) {
            try {
                JsonNode view = send(server, server.request(PATH).GET().build());
                if (view.path("groups").valueStream().allMatch(group -> group.has("leader"))) {
                    return view;
                }
                found = view;
            } catch (Failure e) {
                failures.add(e);
            }
        }
        if (found == null) {
            throw failures.get(0);
        }
        return found;
    }

    /**
     * Asks for a change, which the servers pass on to those that lead.
     *
     * @param change the last part of the path
     */
    void change(String change, List<String> fields) {
        String body = JsonText.object(object -> {
            for (int i = 0; i < fields.size(); i += 2) {
                object.field(fields.get(i), fields.get(i + 1));
            }
        });
        atAny(server -> server.request(PATH + "/" + change)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** Returns a backup: the content of a file. */
    byte[] backup() {
        JsonNode answer = atAny(server -> server.request(PATH + "/backup").GET());
        return Base64.getDecoder().decode(answer.path("backup").stringValue(""));
    }

    /** Sends a request that may take long to the first server that answers a short one. */
    private JsonNode atAny(Function<ServerHttp, HttpRequest.Builder> request) {
        List<String> problems = new ArrayList<>();
        for (ServerHttp server : servers) {
            try {
                send(server, server.request("/healthz").GET().build());
                return send(server, request.apply(server).timeout(PATIENCE).build());
            } catch (Failure e) {
                if (e.exitCode() != ExitCode.NO_QUORUM) {
                    throw e;
                }
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        throw new Failure(ExitCode.NO_QUORUM, "no server of the cluster answers [" + String.join("; ", problems) + "]");
    }

    private static JsonNode send(ServerHttp server, HttpRequest request) {
        try {
            return server.send(
                            request, (status, body) -> refused(server.server().name(), status, body))
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof Failure failure ? failure : e;
        }
    }

    private static Failure refused(String name, int status, String body) {
        String detail = ServerHttp.detail(status, body);
        if (status == CONFLICT) {
            return new Failure(ExitCode.UNCHANGED, name + ": " + detail);
        }
        boolean repeats = status >= 400 && status < 500 && status != NOT_FOUND;
        return new Failure(repeats ? ExitCode.USAGE : ExitCode.NO_QUORUM, name + ": " + detail);
    }
}
