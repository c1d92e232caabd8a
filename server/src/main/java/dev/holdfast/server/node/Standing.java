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
 * @param setSize how many lock servers the server itself locks on, which all belong to the set; 0 if it locks on other nodes, or on itself alone
 */
public record Standing(String incarnation, boolean asked, boolean complete, int setSize) {

    /** Creates the standing of a node whose server has said nothing of the set. */
    public Standing(String incarnation, boolean asked, boolean complete) {
        this(incarnation, asked, complete, 0);
    }

    /** Returns the same standing, for a set of this size. */
    public Standing inSet(int size) {
        return new Standing(incarnation, asked, complete, size);
    }

    public ObjectNode json() {
        return Json.object()
                .put("incarnation", incarnation)
                .put("asked", asked)
                .put("complete", complete)
                .put("setSize", setSize == 0 ? null : Integer.valueOf(setSize));
    }

    /** Reads what {@link #json} has written; empty for anything else. */
    public static Optional<Standing> read(JsonNode json) {
        JsonNode incarnation = json.path("incarnation");
        JsonNode asked = json.path("asked");
        JsonNode complete = json.path("complete");
        return incarnation.isString() && asked.isBoolean() && complete.isBoolean()
                ? Optional.of(new Standing(
                        incarnation.stringValue(),
                        asked.booleanValue(),
                        complete.booleanValue(),
                        json.path("setSize").asInt(0)))
                : Optional.empty();
    }
}
