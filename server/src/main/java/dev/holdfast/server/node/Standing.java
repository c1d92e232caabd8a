package dev.holdfast.server.node;

import dev.holdfast.server.message.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The facts by which an operator sees whether a node is new (PROTOCOL §5), as {@code /v1/bootstrap} answers them.
 *
 * @param incarnation the random name of the node's folder
 * @param asked whether a client has ever asked the node for a vote
 * @param complete whether the folder lacks no promise, so that clients count the node at any age
 */
public record Standing(String incarnation, boolean asked, boolean complete) {

    public ObjectNode json() {
        return Json.object().put("incarnation", incarnation).put("asked", asked).put("complete", complete);
    }

    /** Reads what {@link #json} has written; empty for anything else. */
    public static Optional<Standing> read(JsonNode json) {
        JsonNode incarnation = json.path("incarnation");
        JsonNode asked = json.path("asked");
        JsonNode complete = json.path("complete");
        return incarnation.isString() && asked.isBoolean() && complete.isBoolean()
                ? Optional.of(new Standing(incarnation.stringValue(), asked.booleanValue(), complete.booleanValue()))
                : Optional.empty();
    }
}
