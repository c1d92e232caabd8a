package dev.holdfast.cli.output;

import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A JSON object on one line. Its fields are part of the command line's contract. */
public final class JsonText {

    private final JsonGenerator generator;

    private JsonText(JsonGenerator generator) {
        this.generator = generator;
    }

    public static String object(Consumer<JsonText> fields) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            generator.writeStartObject();
            fields.accept(new JsonText(generator));
            generator.writeEndObject();
        }
        return text.append('\n').toString();
    }

    public JsonText field(String name, @Nullable String value) {
        generator.writeName(name);
        if (value == null) {
            generator.writeNull();
        } else {
            generator.writeString(value);
        }
        return this;
    }

    public JsonText field(String name, @Nullable Long value) {
        generator.writeName(name);
        if (value == null) {
            generator.writeNull();
        } else {
            generator.writeNumber(value);
        }
        return this;
    }

    public JsonText field(String name, boolean value) {
        generator.writeBooleanProperty(name, value);
        return this;
    }

    public JsonText texts(String name, List<String> values) {
        generator.writeArrayPropertyStart(name);
        values.forEach(generator::writeString);
        generator.writeEndArray();
        return this;
    }

    public <T> JsonText objects(String name, List<T> values, Consumer<T> fields) {
        generator.writeArrayPropertyStart(name);
        for (T value : values) {
            generator.writeStartObject();
            fields.accept(value);
            generator.writeEndObject();
        }
        generator.writeEndArray();
        return this;
    }
}
