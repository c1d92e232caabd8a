package dev.holdfast.server.message;

import dev.holdfast.internal.time.DurationText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The fields of a request's body, which is a JSON object with known fields only. */
public final class Body {

    /** The maximum size of a body; the longest value and the longest name fit, even if every character is escaped. */
    public static final int MOST_BODY_BYTES = 16_384;

    private static final Pattern JSON = Pattern.compile("application/json *(; *charset *= *\"?utf-8\"? *)?");

    private final JsonNode fields;

    private Body(JsonNode fields) {
        this.fields = fields;
    }

    /**
     * Reads a body.
     *
     * @param known the allowed fields
     * @throws Problem if the body is not a JSON object, or has other fields
     */
    public static Body of(@Nullable String contentType, ByteBuffer body, String... known) {
        if (!body.hasRemaining()) {
            return new Body(Json.object());
        }
        if (contentType == null
                || !JSON.matcher(contentType.toLowerCase(Locale.ROOT).strip()).matches()) {
            throw new Problem(
                    Problem.Kind.UNSUPPORTED_MEDIA_TYPE, "The body must be of type application/json, in UTF-8.");
        }
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        return of(bytes, known);
    }

    /** Reads bytes, which must be JSON. */
    public static Body of(byte[] bytes, String... known) {
        return withAnyFields(bytes).only(known);
    }

    /** Reads bytes that are JSON; {@link #only} checks later whether each field is known. */
    public static Body withAnyFields(byte[] bytes) {
        JsonNode read = parsed(bytes);
        if (!read.isObject()) {
            throw Problem.badRequest("The body is JSON, but not an object.");
        }
        return new Body(read);
    }

    /** Returns this body, or throws a {@link Problem} if it has other fields than these. */
    public Body only(String... known) {
        for (String name : fields.propertyNames()) {
            if (!List.of(known).contains(name)) {
                throw Problem.badRequest("The field '" + Printable.of(name) + "' is not known; known are: "
                        + (known.length == 0 ? "none" : String.join(", ", known)) + ".");
            }
        }
        return this;
    }

    private static JsonNode parsed(byte[] bytes) {
        try {
            StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes)); // the parser accepts longer forms of characters
            return Json.MAPPER.readTree(bytes);
        } catch (CharacterCodingException e) {
            throw Problem.badRequest("The body is not UTF-8.");
        } catch (JacksonException e) {
            var place = e.getLocation();
            throw Problem.badRequest("The body is not JSON that this server reads"
                    + (place == null ? "" : ", at line " + place.getLineNr() + ", column " + place.getColumnNr())
                    + ": one object, every field once, in UTF-8.");
        }
    }

    /** Returns a text; the field is required. */
    public String text(String field) {
        String text = textOrNull(field);
        if (text == null) {
            throw Problem.badRequest("The field '" + field + "' is missing.");
        }
        return text;
    }

    /** Returns a text; null if the field is absent. */
    public @Nullable String textOrNull(String field) {
        JsonNode value = fields.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isString()) {
            throw Problem.badRequest("The field '" + field + "' must be a text in quotation marks.");
        }
        return value.stringValue();
    }

    /** Returns a duration; the default if the field is absent. */
    public Duration duration(String field, Duration otherwise) {
        String text = textOrNull(field);
        if (text == null) {
            return otherwise;
        }
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest("The field '" + field + "' " + e.getMessage() + ".");
        }
    }

    /** Returns one of the constants, in any case; the default if the field is absent. */
    public <E extends Enum<E>> E constant(String field, Class<E> type, E otherwise) {
        String text = textOrNull(field);
        if (text == null) {
            return otherwise;
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        throw Problem.badRequest("The field '" + field + "' must be one of " + List.of(type.getEnumConstants()) + ".");
    }

    /** Returns a whole number of 1 or more; the field is required. */
    public long number(String field) {
        JsonNode value = fields.get(field);
        if (value == null || !value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 1) {
            throw Problem.badRequest("The field '" + field + "' must be a whole number of 1 or more.");
        }
        return value.longValue();
    }
}
