package dev.holdfast.server.lease;

import dev.holdfast.node.LockValue;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.ServerLogger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A break of a lease, of which one server notifies the others.
 *
 * @param operator the token's name, or the address, of the client that broke it
 * @param reason the client's reason
 * @param atMillis the time of the break, in ms of the wall clock of the server that broke the lease
 */
public record BreakNotice(String lock, long token, String operator, String reason, long atMillis) {

    private static final System.Logger LOG = ServerLogger.get();

    /** Returns the notices in a value. */
    static List<BreakNotice> parse(String value) {
        List<BreakNotice> notices = new ArrayList<>();
        try {
            if (!value.isEmpty()) {
                Json.MAPPER.readTree(value).forEach(json -> notices.add(of(json)));
            }
        } catch (JacksonException e) {
            LOG.log(Level.DEBUG, "The value of " + ServersLocks.BREAKS + " is not a list of breaks", e);
        }
        return notices;
    }

    /** Returns the value with these notices. */
    static String value(List<BreakNotice> notices) {
        ArrayNode array = Json.MAPPER.createArrayNode();
        notices.forEach(notice -> array.add(notice.json()));
        return array.toString();
    }

    /** Returns whether a value has room for all of these notices. */
    static boolean fit(List<BreakNotice> notices) {
        return value(notices).getBytes(StandardCharsets.UTF_8).length <= LockValue.MOST_BYTES;
    }

    /** Returns this notice with as much of its reason as fits into a value. With a very long name, even a notice without a reason does not fit. */
    BreakNotice shortened() {
        BreakNotice notice = this;
        while (!fit(List.of(notice)) && !notice.reason.isEmpty()) {
            int end = notice.reason.offsetByCodePoints(notice.reason.length(), -1);
            notice = new BreakNotice(lock, token, operator, notice.reason.substring(0, end), atMillis);
        }
        return notice;
    }

    /** Returns who broke the lease and why, in words that follow "was". */
    public String words() {
        return "broken by '" + Printable.of(operator) + "': " + Printable.of(reason, 200);
    }

    private ObjectNode json() {
        return Json.object()
                .put("lock", lock)
                .put("token", token)
                .put("operator", operator)
                .put("reason", reason)
                .put("at", atMillis);
    }

    private static BreakNotice of(JsonNode json) {
        return new BreakNotice(
                json.path("lock").asString(""),
                json.path("token").asLong(0),
                json.path("operator").asString(""),
                json.path("reason").asString(""),
                json.path("at").asLong(0));
    }
}
