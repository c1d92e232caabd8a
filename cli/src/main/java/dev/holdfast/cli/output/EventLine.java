package dev.holdfast.cli.output;

import dev.holdfast.server.client.RemoteAddress;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An event of a lock server as one line. */
public final class EventLine {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final int TYPE_WIDTH = 9;
    private static final int LOCK_WIDTH = 24;

    private final RemoteAddress server;
    private final ObjectNode event;

    private EventLine(RemoteAddress server, ObjectNode event) {
        this.server = server;
        this.event = event;
    }

    /** Reads what a server has sent; a failure if that is no event. */
    public static EventLine of(RemoteAddress server, String json) {
        try {
            if (JSON.readTree(json) instanceof ObjectNode event) {
                return new EventLine(server, event);
            }
        } catch (JacksonException e) {
            // said below
        }
        throw new Failure(ExitCode.NO_QUORUM, server.name() + " sends what is no event");
    }

    /** Returns the server's own object, and which server it was. */
    public String json() {
        return event.put("server", server.name()).toString() + "\n";
    }

    /** For people; with the server's name if there are several. */
    public String text(boolean named, ZoneId zone) {
        StringBuilder line = new StringBuilder();
        JsonNode at = event.get("atMillis");
        line.append(
                at == null ? "" : TIME.format(Instant.ofEpochMilli(at.asLong()).atZone(zone)) + "  ");
        if (named) {
            line.append(server.name()).append("  ");
        }
        String type = textOf("type", "");
        line.append(padded(type, TYPE_WIDTH)).append("  ");
        if (type.equals("missed")) {
            line.append("events that are not known any more");
        } else if (event.has("lock")) {
            line.append(padded(textOf("lock", ""), LOCK_WIDTH)).append("  ").append(details());
        } else {
            line.append(textOf("node", ""));
            String detail = textOf("detail", "");
            line.append(detail.isEmpty() ? "" : "  " + detail);
        }
        return line.toString().stripTrailing() + "\n";
    }

    private String details() {
        StringBuilder details = new StringBuilder(textOf("mode", "")).append("  ");
        String client = textOf("client", "");
        String label = textOf("label", "");
        details.append(label.isEmpty() ? client : label + " (" + client + ")");
        append(details, "token", "token");
        append(details, "place", "place");
        return details.toString();
    }

    private void append(StringBuilder details, String field, String word) {
        JsonNode value = event.get(field);
        if (value != null && value.isIntegralNumber()) {
            details.append("  ").append(word).append(' ').append(value.asLong());
        }
    }

    private String textOf(String field, String otherwise) {
        @Nullable JsonNode value = event.get(field);
        return value == null || !value.isString() ? otherwise : Printable.line(value.stringValue());
    }

    private static String padded(String text, int width) {
        return text.length() >= width ? text : text + " ".repeat(width - text.length());
    }
}
