package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.JsonText;
import dev.holdfast.server.node.Standing;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** A lock server as a node of a {@link NewSet}, over its HTTP API. */
final class ServerInSet implements NewSet.Node {

    private static final String PATH = "/v1/bootstrap";
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY = 429;

    private final ServerHttp api;

    ServerInSet(ServerHttp api) {
        this.api = api;
    }

    @Override
    public String name() {
        return api.server().name();
    }

    @Override
    public CompletableFuture<Standing> ask() {
        return send(api.request(PATH).GET().build(), false).thenApply(this::standing);
    }

    @Override
    public CompletableFuture<Void> record(String incarnation, List<String> set) {
        String body = JsonText.object(
                object -> object.field("incarnation", incarnation).field("nodes", String.join(" ", set)));
        HttpRequest request = api.request(PATH)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return send(request, true).thenAccept(this::standing);
    }

    private Standing standing(JsonNode answer) {
        return Standing.read(answer)
                .orElseThrow(
                        () -> new Failure(ExitCode.NO_QUORUM, name() + ": the answer is not that of a lock server"));
    }

    /** Sends a request. A refusal that would repeat is a wrong usage, unless the request is a record: then other nodes may have recorded. */
    private CompletableFuture<JsonNode> send(HttpRequest request, boolean records) {
        return api.send(request, (status, body) -> refused(status, body, records));
    }

    private Failure refused(int status, String body, boolean records) {
        String detail = status == NOT_FOUND
                ? "there is no lock server that can be bootstrapped at this address; check the host, the port and the"
                        + " server's version"
                : ServerHttp.detail(status, body);
        boolean repeats = status >= 400 && status < 500 && status != TOO_MANY && !records;
        return new Failure(repeats ? ExitCode.USAGE : ExitCode.NO_QUORUM, name() + ": " + detail);
    }
}
