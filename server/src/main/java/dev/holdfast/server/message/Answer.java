package dev.holdfast.server.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer to a request.
 *
 * @param body the bytes of the body, which answers may share
 */
public record Answer(int status, String contentType, ByteBuffer body, Map<String, String> headers) {

    public Answer {
        headers = Map.copyOf(headers);
    }

    public Answer(int status, String contentType, String body, Map<String, String> headers) {
        this(status, contentType, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)), headers);
    }

    public static Answer ok(ObjectNode body) {
        return new Answer(200, Json.TYPE, Json.text(body), Map.of());
    }

    /** Returns the bytes of the body, with a position of their own. */
    @Override
    public ByteBuffer body() {
        return body.duplicate();
    }

    public Answer with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Answer(status, contentType, body, more);
    }
}
