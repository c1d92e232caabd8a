package dev.holdfast.server.message;

import dev.holdfast.internal.time.DurationText;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The fields of a request's body: a JSON object of which every field is known. */
public final class Body {

    /** The longest value and the longest name fit, even if every character is escaped. */
    public static final int MOST_BODY_BYTES = 16_384;

    private static final Pattern JSON = Pattern.compile("application/json *(; *charset *= *\"?utf-8\"? *)?");

    private final JsonNode fields;

    private Body(JsonNode fields) {
        this.fields = fields;
    }

    /**
     * Reads it.
     *
     * @param known the fields that it may have
     * @throws Problem if it is too large, no JSON object, or has others
     */
    public static Body of(Context context, String... known) throws IOException {
        byte[] bytes = bytes(context);
        if (bytes.length == 0) {
            return new Body(Json.object());
        }
        String type = context.header("Content-Type");
        if (type == null || !JSON.matcher(type.toLowerCase(Locale.ROOT).strip()).matches()) {
            throw new Problem(
                    Problem.Kind.UNSUPPORTED_MEDIA_TYPE, "The body must be of type application/json, in UTF-8.");
        }
        return of(bytes, known);
    }

    /** As {@link #of(Context, String...)}, of bytes that are JSON or nothing. */
    public static Body of(byte[] bytes, String... known) {
        JsonNode read = parsed(bytes);
        if (!read.isObject()) {
            throw Problem.badRequest("The body is JSON, but no object.");
        }
        for (String name : read.propertyNames()) {
            if (!List.of(known).contains(name)) {
                throw Problem.badRequest("The field '" + Printable.of(name) + "' is not known; known are: "
                        + (known.length == 0 ? "none" : String.join(", ", known)) + ".");
            }
        }
        return new Body(read);
    }

    private static byte[] bytes(Context context) throws IOException {
        long length = context.req().getContentLengthLong();
        if (length > MOST_BODY_BYTES) {
            throw tooLarge();
        }
        int most = length < 0 ? MOST_BODY_BYTES + 1 : (int) length; // beyond its length a body has no bytes
        byte[] bytes = context.req().getInputStream().readNBytes(most);
        if (bytes.length > MOST_BODY_BYTES) {
            throw tooLarge();
        }
        return bytes;
    }

    /** The rest of it is not read, so the connection is of no more use. */
    private static Problem tooLarge() {
        return new Problem(Problem.Kind.TOO_LARGE, "The body has more than " + MOST_BODY_BYTES + " bytes.")
                .header("Connection", "close");
    }

    private static JsonNode parsed(byte[] bytes) {
        try {
            return Json.MAPPER.readTree(bytes);
        } catch (JacksonException e) {
            var place = e.getLocation();
            throw Problem.badRequest("The body is not JSON that this server reads"
                    + (place == null ? "" : ", at line " + place.getLineNr() + ", column " + place.getColumnNr())
                    + ": one object without nesting, every field once, in UTF-8.");
        }
    }

    /** A text, which must be there. */
    public String text(String field) {
        String text = textOrNull(field);
        if (text == null) {
            throw Problem.badRequest("The field '" + field + "' is missing.");
        }
        return text;
    }

    /** A text, null if it is not there. */
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

    /** A duration, the default if it is not there. */
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

    /** One of the constants, in capitals or not; the default if it is not there. */
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

    /** A whole number of 1 or more, which must be there. */
    public long number(String field) {
        JsonNode value = fields.get(field);
        if (value == null || !value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 1) {
            throw Problem.badRequest("The field '" + field + "' must be a whole number of 1 or more.");
        }
        return value.longValue();
    }
}
