package dev.holdfast.locked;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of keys to text, for the types that a key may have and for no others. The text must be the same for equal objects in every process.
 * Otherwise each call could have its own lock, and the lock would exclude nothing.
 */
public final class KeyText {

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

    private static final int LONGEST_PLAIN = 100;

    private static final ClassValue<Boolean> OWN_EQUALS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                int modifiers = type.getDeclaredMethod("equals", Object.class).getModifiers();
                return Modifier.isFinal(modifiers)
                        ? !GeneratedEquals.isIn(type.getName(), type.getClassLoader())
                        : !KotlinMetadata.generatesEquals(type);
            } catch (NoSuchMethodException e) {
                return false;
            }
        }
    };

    private final Converters converters;

    /** The conversions that an application has registered. */
    @FunctionalInterface
    public interface Converters {

        /** Returns the conversion of objects of a type; null if none is registered. */
        @Nullable
        Function<Object, String> of(Class<?> type);
    }

    public KeyText(Converters converters) {
        this.converters = converters;
    }

    /** Signals that an object has no defined text. The message ends a sentence that begins with the key. */
    public static final class UndefinedTextException extends RuntimeException {

        private static final long serialVersionUID = 1;

        public UndefinedTextException(String message) {
            super(message);
        }
    }

    /**
     * Returns the text of a value.
     *
     * @throws UndefinedTextException if the value, or a part of it, has none
     */
    public String of(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        Class<?> type = value.getClass();
        Function<Object, String> converter = converters.of(type);
        if (converter != null) {
            return Objects.requireNonNullElse(converter.apply(value), ""); // an application may return null
        }
        if (isPlain(type)) {
            return withoutIdentity(plain(value), type.getClassLoader());
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
            if (hasOwnEquals(type)) {
                throw new UndefinedTextException(ownEquals(type.getTypeName()));
            }
            return ofRecord(part, type);
        }
        throw new UndefinedTextException(undefined(type.getTypeName()));
    }

    /** Returns the text of a plain value. The {@code toString} of an enum may differ between processes, and the same number may have several scales. */
    private static String plain(Object value) {
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof BigDecimal number) {
            BigDecimal shortest = number.stripTrailingZeros();
            return Math.abs(shortest.scale()) <= LONGEST_PLAIN ? shortest.toPlainString() : shortest.toString();
        }
        return value.toString();
    }

    private String ofRecord(Record value, Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(component -> component.getName() + "=" + of(part(value, component)))
                .collect(Collectors.joining(", ", type.getSimpleName() + "[", "]"));
    }

    private static @Nullable Object part(Record value, RecordComponent component) {
        return read(component.getAccessor(), value);
    }

    /** Calls an accessor, which need not be public, and throws its unchecked exceptions. */
    public static @Nullable Object read(Method accessor, Object value) {
        try {
            accessor.setAccessible(true);
            return accessor.invoke(value);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(accessor + " failed", e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(accessor + " cannot be called", e);
        }
    }

    /** Returns whether the values of a type have a text that is defined and the same for equal values. */
    public static boolean isPlain(Class<?> type) {
        return PLAIN.contains(type)
                || CharSequence.class.isAssignableFrom(type)
                || Enum.class.isAssignableFrom(type)
                || (type.getName().startsWith("java.time.") && !Clock.class.isAssignableFrom(type));
    }

    /**
     * Returns whether equal values of a type have the same hash code in every process. That of an enum constant or of a text buffer identifies the object, and
     * that of a record is not specified.
     */
    public static boolean hasStableHash(Class<?> type) {
        boolean isIdentity = Enum.class.isAssignableFrom(type)
                || (CharSequence.class.isAssignableFrom(type) && type != String.class);
        return type.isPrimitive() || (isPlain(type) && !isIdentity);
    }

    /** Returns the problem of a key that calls {@code hashCode} of a type, as the end of a sentence that begins with the key. */
    public static String unstableHash(String typeName) {
        return "calls hashCode() of " + typeName + ", which may differ for equal values";
    }

    /**
     * Returns whether a record declares {@code equals} itself. Java's compilers make the method final if they generate it, but so can the source. Kotlin's
     * compiler does not, but describes where the method comes from.
     */
    public static boolean hasOwnEquals(Class<?> type) {
        return OWN_EQUALS.get(type);
    }

    /** Returns the problem of a record that declares {@code equals} itself, as the end of a sentence that begins with the key. */
    public static String ownEquals(String typeName) {
        return "is of " + typeName + ", a record whose own equals method may ignore differences between components";
    }

    /** Returns the problem of a type without a defined text, as the end of a sentence that begins with the key. */
    public static String undefined(String typeName) {
        return "is of " + typeName + ", whose text may differ for equal values";
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
        return isPresent(name, Thread.currentThread().getContextClassLoader()) || isPresent(name, loader);
    }

    private static boolean isPresent(String name, @Nullable ClassLoader loader) {
        try {
            return Class.forName(name, false, loader) != null;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
