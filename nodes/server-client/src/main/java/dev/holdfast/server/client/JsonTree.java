package dev.holdfast.server.client;

import java.io.StringWriter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes the trees of messages. It must never use a mapper: Jackson's mapper needs the latest jackson-annotations, and an application whose framework
 * has Jackson 2 may have older ones.
 */
final class JsonTree {

    private static final int DEEPEST = 8;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(40)
                    .build())
            .build();

    private JsonTree() {}

    /**
     * Reads a text, which must have one value.
     *
     * @throws BadMessageException if it is not JSON, or has more or less than one value
     */
    static JsonNode read(String text) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() != null) {
                JsonNode read = value(parser);
                if (parser.nextToken() == null) {
                    return read;
                }
            }
        } catch (JacksonException e) {
            // as below
        }
        throw new BadMessageException("the message is not JSON");
    }

    private static JsonNode value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> NODES.stringNode(parser.getString());
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? NODES.numberNode(parser.getBigIntegerValue())
                        : NODES.numberNode(parser.getLongValue());
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            default -> NODES.nullNode();
        };
    }

    private static ObjectNode object(JsonParser parser) {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            object.set(name, value(parser));
        }
        return object;
    }

    private static ArrayNode array(JsonParser parser) {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(parser));
        }
        return array;
    }

    /** Returns the text of an object, on one line. */
    static String text(ObjectNode object) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            write(object, generator);
        }
        return text.toString();
    }

    private static void write(JsonNode node, JsonGenerator generator) {
        if (node.isObject()) {
            generator.writeStartObject();
            node.properties().forEach(field -> {
                generator.writeName(field.getKey());
                write(field.getValue(), generator);
            });
            generator.writeEndObject();
        } else if (node.isArray()) {
            generator.writeStartArray();
            node.forEach(part -> write(part, generator));
            generator.writeEndArray();
        } else if (node.isString()) {
            generator.writeString(node.stringValue());
        } else if (node.isIntegralNumber()) {
            generator.writeNumber(node.longValue());
        } else if (node.isNumber()) {
            generator.writeNumber(node.doubleValue());
        } else if (node.isBoolean()) {
            generator.writeBoolean(node.booleanValue());
        } else {
            generator.writeNull();
        }
    }
}
