package dev.holdfast.cli.output;

import dev.holdfast.server.client.RemoteAddress;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An event of a lock server on one line. */
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

    /** Parses an event from a server; fails if the text is not an event. */
    public static EventLine of(RemoteAddress server, String json) {
        try {
            if (JSON.readTree(json) instanceof ObjectNode event) {
                return new EventLine(server, event);
            }
        } catch (JacksonException e) {
            // The failure below reports it.
        }
        throw new Failure(ExitCode.NO_QUORUM, server.name() + " sent something that is not an event");
    }

    /** Returns the server's JSON object, with the server's name added. */
    public String json() {
        return event.put("server", server.name()).toString() + "\n";
    }

    /** Returns the line for people, with the server's name if {@code named}. */
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
            line.append("events that the server no longer has");
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
        String client = textOf("client", "");
        String label = textOf("label", "");
        String operator = textOf("operator", "");
        return Stream.of(
                        textOf("mode", ""),
                        label.isEmpty() ? client : label + " (" + client + ")",
                        number("token"),
                        number("place"),
                        operator.isEmpty() ? "" : "by '" + operator + "': " + textOf("reason", ""))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("  "));
    }

    /** Returns a field with its number; empty if the event has no such field. */
    private String number(String field) {
        JsonNode value = event.get(field);
        return value != null && value.isIntegralNumber() ? field + " " + value.asLong() : "";
    }

    private String textOf(String field, String otherwise) {
        @Nullable JsonNode value = event.get(field);
        return value == null || !value.isString() ? otherwise : Printable.line(value.stringValue());
    }

    private static String padded(String text, int width) {
        return text.length() >= width ? text : text + " ".repeat(width - text.length());
    }
}
