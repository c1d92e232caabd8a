package dev.holdfast.spring.aspect;

import dev.holdfast.spring.LockKeyConverter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The conversion of keys to text, for the types that a key may have and for no others. The text must be the same for equal objects in every process.
 * Otherwise each call could have its own lock, and the lock would exclude nothing.
 */
final class KeyText {

    /** The pattern of the default {@link Object#toString}, possibly in the middle of a text. */
    private static final Pattern IDENTITY =
            Pattern.compile("([\\p{javaJavaIdentifierPart}.\\[;/]+)@[0-9a-f]{1,8}(?![\\p{Alnum}_])");

    private static final Set<Class<?>> PLAIN = Set.of(
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            BigInteger.class,
            BigDecimal.class,
            UUID.class);

    private final List<LockKeyConverter<?>> converters;

    KeyText(List<LockKeyConverter<?>> converters) {
        this.converters = converters;
    }

    /** Signals that an object has no defined text. The message ends a sentence that begins with the key. */
    static final class UndefinedTextException extends RuntimeException {

        private static final long serialVersionUID = 1;

        UndefinedTextException(String message) {
            super(message);
        }
    }

    /** Returns the problem that all values of a type have, as the end of a sentence that begins with the key; null if none is known. */
    @Nullable
    String problemOf(ResolvableType type) {
        return problemOf(type, new HashSet<>());
    }

    private @Nullable String problemOf(ResolvableType type, Set<Class<?>> records) {
        Class<?> known = type.toClass();
        if (known.isPrimitive() || known == Object.class || isPlain(known) || converterOf(known) != null) {
            return null;
        }
        if (known.isRecord()) {
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
        return isOpen && !Map.class.isAssignableFrom(known) ? null : undefined(known);
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
     * @throws UndefinedTextException if the value, or a part of it, has none
     */
    String of(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        Class<?> type = value.getClass();
        LockKeyConverter<?> converter = converterOf(type);
        if (converter != null) {
            return converted(converter, value);
        }
        if (isPlain(type)) {
            return withoutIdentity(value.toString(), type.getClassLoader());
        }
        if (value instanceof Optional<?> optional) {
            return optional.map(content -> "Optional[" + of(content) + "]").orElse("Optional.empty");
        }
        if (value instanceof List<?> list) {
            return list.stream().map(this::of).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Set<?> set) { // equal sets may have their elements in different orders
            return set.stream().map(this::of).sorted().collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Record part) {
            return ofRecord(part, type);
        }
        throw new UndefinedTextException(undefined(type));
    }

    private static <T> String converted(LockKeyConverter<T> converter, Object value) {
        return Objects.requireNonNullElse(converter.textOf(converter.type().cast(value)), "");
    }

    private String ofRecord(Record value, Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(component -> component.getName() + "=" + of(part(value, component)))
                .collect(Collectors.joining(", ", type.getSimpleName() + "[", "]"));
    }

    private static @Nullable Object part(Record value, RecordComponent component) {
        Method accessor = component.getAccessor();
        ReflectionUtils.makeAccessible(accessor);
        return ReflectionUtils.invokeMethod(accessor, value);
    }

    private @Nullable LockKeyConverter<?> converterOf(Class<?> type) {
        return converters.stream()
                .filter(converter -> converter.type().isAssignableFrom(type))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether {@code toString} of a type is defined and the same for equal values. */
    private static boolean isPlain(Class<?> type) {
        return PLAIN.contains(type)
                || CharSequence.class.isAssignableFrom(type)
                || Enum.class.isAssignableFrom(type)
                || (type.getName().startsWith("java.time.") && !Clock.class.isAssignableFrom(type));
    }

    private static String undefined(Class<?> type) {
        return "is of " + type.getTypeName() + ", whose text may differ for equal values";
    }

    /**
     * Rejects a text that contains a default {@code toString}. An e-mail address has the same form, but the part before its {@code @} is not the name
     * of a class.
     */
    private static String withoutIdentity(String text, @Nullable ClassLoader loader) {
        if (text.indexOf('@') < 0) {
            return text;
        }
        Matcher matcher = IDENTITY.matcher(text);
        while (matcher.find()) {
            String name = matcher.group(1);
            int array = name.indexOf('[');
            String element = name.substring(name.lastIndexOf('[') + 1);
            boolean isArray = array >= 0 && element.matches("[ZBCSIJFD]|L[^;]+;");
            if (isArray || name.contains("$$Lambda") || endsWithClass(element, loader)) {
                throw new UndefinedTextException(
                        "contains '" + matcher.group() + "', which identifies an object and not its value");
            }
        }
        return text;
    }

    /** Returns whether a name ends with the name of a class; in a concatenation, any text may precede that name. */
    private static boolean endsWithClass(String name, @Nullable ClassLoader loader) {
        for (int start = 0; start < name.length(); start++) {
            if (Character.isJavaIdentifierStart(name.charAt(start)) && isClass(name.substring(start), loader)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isClass(String name, @Nullable ClassLoader loader) {
        return ClassUtils.isPresent(name, ClassUtils.getDefaultClassLoader()) || ClassUtils.isPresent(name, loader);
    }
}
