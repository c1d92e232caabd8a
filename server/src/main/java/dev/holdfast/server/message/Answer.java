package dev.holdfast.server.message;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The answer to a request. */
public record Answer(int status, String contentType, String body, Map<String, String> headers) {

    public Answer {
        headers = Map.copyOf(headers);
    }

    public static Answer ok(ObjectNode body) {
        return new Answer(200, Json.TYPE, Json.text(body), Map.of());
    }

    public Answer with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Answer(status, contentType, body, more);
    }
}
