package dev.holdfast.server.message;

import dev.holdfast.lock.SealedWork;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON as the server reads and writes it. The server reads objects that contain only texts and numbers, and rejects longer or ambiguous input. It also
 * reads what newer clients may nest in fields that this server does not know, to refuse the field by its name.
 */
public final class Json {

    public static final String TYPE = "application/json";

    private static final int DEEPEST = 64;

    public static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxStringLength(Body.MOST_BODY_BYTES)
                            .maxNameLength(Body.MOST_BODY_BYTES)
                            .maxNumberLength(40)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static String text(ObjectNode object) {
        return object.toString();
    }

    /** Returns a constant as answers spell it: {@code NO_QUORUM} is {@code no-quorum}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns a seal, with the name of the client that has declared the work done. */
    public static ObjectNode of(SealedWork seal) {
        return object().put("by", seal.displayBy())
                .put("agoMillis", seal.ago().toMillis())
                .put("remainingMillis", millis(seal.remaining()));
    }

    /** Returns whole milliseconds; null stays null. */
    public static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : Long.valueOf(duration.toMillis());
    }
}
