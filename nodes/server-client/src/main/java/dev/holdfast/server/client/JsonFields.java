package dev.holdfast.server.client;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The fields of one message, read strictly. A field that is missing or has another type causes a {@link BadMessageException} that names the field. */
final class JsonFields {

    private final JsonNode object;

    private JsonFields(JsonNode object) {
        this.object = object;
    }

    static JsonFields parse(String text) {
        JsonNode read = JsonTree.read(text);
        if (!read.isObject()) {
            throw new BadMessageException("the message is JSON, but not an object");
        }
        return new JsonFields(read);
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    boolean has(String field) {
        return object.has(field) && !object.get(field).isNull();
    }

    String text(String field) {
        JsonNode value = object.get(field);
        if (value == null || !value.isString()) {
            throw new BadMessageException("the field '" + field + "' must be a string");
        }
        return value.stringValue();
    }

    long number(String field) {
        JsonNode value = object.get(field);
        if (value == null || !value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new BadMessageException("the field '" + field + "' must be a whole number");
        }
        return value.longValue();
    }

    /** Returns a number, or the default, since older servers do not send the field. */
    long numberOr(String field, long otherwise) {
        return has(field) ? number(field) : otherwise;
    }

    int smallNumber(String field) {
        long number = number(field);
        if (number != (int) number) {
            throw new BadMessageException("the field '" + field + "' is " + number + ", which is too large");
        }
        return (int) number;
    }

    boolean truth(String field) {
        JsonNode value = object.get(field);
        if (value == null || !value.isBoolean()) {
            throw new BadMessageException("the field '" + field + "' must be true or false");
        }
        return value.booleanValue();
    }

    OwnerId owner(String field) {
        return OwnerId.parse(text(field))
                .orElseThrow(() -> new BadMessageException("the field '" + field + "' must be an owner id"));
    }

    LockMode mode() {
        return constant("mode", LockMode.class);
    }

    <E extends Enum<E>> E constant(String field, Class<E> type) {
        String text = text(field);
        for (E constant : type.getEnumConstants()) {
            if (word(constant).equals(text)) {
                return constant;
            }
        }
        throw new BadMessageException("the field '" + field + "' must be one of " + List.of(type.getEnumConstants()));
    }

    /** Returns a constant as it is written in messages: lock modes in capitals, all other constants in lower case with dashes. */
    static String word(Enum<?> constant) {
        return constant instanceof LockMode
                ? constant.name()
                : constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns an object within this one; null if the field is absent. */
    <T> @Nullable T part(String field, Function<JsonFields, T> reading) {
        if (!has(field)) {
            return null;
        }
        JsonNode part = object.get(field);
        if (!part.isObject()) {
            throw new BadMessageException("the field '" + field + "' must be an object");
        }
        return reading.apply(new JsonFields(part));
    }

    <T> List<T> parts(String field, Function<JsonFields, T> reading) {
        List<T> parts = new ArrayList<>();
        for (JsonNode part : array(field)) {
            if (!part.isObject()) {
                throw new BadMessageException("the field '" + field + "' must contain only objects");
            }
            parts.add(reading.apply(new JsonFields(part)));
        }
        return parts;
    }

    List<String> texts(String field) {
        List<String> texts = new ArrayList<>();
        for (JsonNode part : array(field)) {
            if (!part.isString()) {
                throw new BadMessageException("the field '" + field + "' must contain only strings");
            }
            texts.add(part.stringValue());
        }
        return texts;
    }

    List<Integer> smallNumbers(String field) {
        List<Integer> numbers = new ArrayList<>();
        for (JsonNode part : array(field)) {
            if (!part.isIntegralNumber() || !part.canConvertToInt()) {
                throw new BadMessageException("the field '" + field + "' must contain only small whole numbers");
            }
            numbers.add(part.intValue());
        }
        return numbers;
    }

    private JsonNode array(String field) {
        JsonNode value = object.get(field);
        if (value == null || !value.isArray()) {
            throw new BadMessageException("the field '" + field + "' must be a list");
        }
        return value;
    }

    // ---- fields that many messages share

    /** Reads the time until the end of something; a number below 0 says that there is no end. */
    OptionalLong remainingMillis() {
        long millis = number("remainingMillis");
        return millis < 0 ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    /** Returns the number that {@link #remainingMillis} reads as this time. */
    static long number(OptionalLong remainingMillis) {
        return remainingMillis.orElse(-1);
    }

    @Nullable
    LockValue value() {
        return part("value", part -> new LockValue(part.number("token"), part.number("number"), part.text("text")));
    }

    static void put(ObjectNode object, @Nullable LockValue value) {
        if (value != null) {
            object.putObject("value")
                    .put("token", value.token())
                    .put("number", value.number())
                    .put("text", value.text());
        }
    }

    @Nullable
    Seal seal() {
        return part("seal", part -> new Seal(part.text("by"), part.number("agoMillis"), part.remainingMillis()));
    }

    static void put(ObjectNode object, @Nullable Seal seal) {
        if (seal != null) {
            object.putObject("seal")
                    .put("by", seal.by())
                    .put("agoMillis", seal.agoMillis())
                    .put("remainingMillis", number(seal.remainingMillis()));
        }
    }

    @Nullable
    Ticket ticket(String field) {
        return part(field, part -> new Ticket(part.number("time"), part.text("client")));
    }

    static void put(ObjectNode object, String field, @Nullable Ticket ticket) {
        if (ticket != null) {
            object.putObject(field).put("time", ticket.time()).put("client", ticket.client());
        }
    }
}
