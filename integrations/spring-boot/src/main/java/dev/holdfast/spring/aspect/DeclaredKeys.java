package dev.holdfast.spring.aspect;

import dev.holdfast.locked.KeyText;
import dev.holdfast.spring.LockKeyConverter;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * The keys of an application: their texts, with its converters, and the problems that their declared types show.
 */
final class DeclaredKeys {

    private final List<LockKeyConverter<?>> converters;
    private final KeyText values;

    DeclaredKeys(List<LockKeyConverter<?>> converters) {
        this.converters = converters;
        this.values = new KeyText(this::conversionOf);
    }

    /** Returns the problem that all values of a type have, as the end of a sentence that begins with the key; null if none is known. */
    @Nullable
    String problemOf(ResolvableType type) {
        return problemOf(type, new HashSet<>());
    }

    private @Nullable String problemOf(ResolvableType type, Set<Class<?>> records) {
        Class<?> known = type.toClass();
        if (known.isPrimitive() || known == Object.class || KeyText.isPlain(known) || converterOf(known) != null) {
            return null;
        }
        if (known.isRecord()) {
            if (KeyText.hasOwnEquals(known)) {
                return KeyText.ownEquals(known.getTypeName());
            }
            return records.add(known)
                    ? firstProblem(
                            Arrays.stream(known.getRecordComponents())
                                    .map(part -> ResolvableType.forMethodReturnType(part.getAccessor())),
                            records)
                    : null;
        }
        if (known == Optional.class) {
            return firstProblem(Stream.of(type.getGenerics()), records);
        }
        if (List.class.isAssignableFrom(known) || Set.class.isAssignableFrom(known)) {
            return firstProblem(Stream.of(type.as(Collection.class).getGenerics()), records);
        }
        boolean isOpen = !known.isArray() && (known.isInterface() || Modifier.isAbstract(known.getModifiers()));
        return isOpen && !Map.class.isAssignableFrom(known) ? null : KeyText.undefined(known.getTypeName());
    }

    private @Nullable String firstProblem(Stream<ResolvableType> types, Set<Class<?>> records) {
        return types.map(type -> problemOf(type, records))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns the text of a value.
     *
     * @throws KeyText.UndefinedTextException if the value, or a part of it, has none
     */
    String of(@Nullable Object value) {
        return values.of(value);
    }

    private @Nullable Function<Object, String> conversionOf(Class<?> type) {
        LockKeyConverter<?> converter = converterOf(type);
        return converter == null ? null : value -> converted(converter, value);
    }

    private static <T> String converted(LockKeyConverter<T> converter, Object value) {
        return converter.textOf(converter.type().cast(value));
    }

    private @Nullable LockKeyConverter<?> converterOf(Class<?> type) {
        return converters.stream()
                .filter(converter -> converter.type().isAssignableFrom(type))
                .findFirst()
                .orElse(null);
    }
}
