package dev.holdfast.spring.aspect;

import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A check that the text of an object is the same for equal objects in every process. If it is not, as with {@code Order@1a2b3c}, each call could have
 * its own lock, and the lock would exclude nothing.
 */
final class KeyText {

    /** The pattern of the default {@link Object#toString}, possibly in the middle of a text. */
    private static final Pattern IDENTITY =
            Pattern.compile("([\\p{javaJavaIdentifierPart}.\\[;/]+)@[0-9a-f]{1,8}(?![\\p{Alnum}_])");

    private KeyText() {}

    /** Returns the problem that all values of a type have, as the end of a sentence that begins with the key; null if none is known. */
    static @Nullable String problemOf(ResolvableType type) {
        Class<?> known = type.toClass();
        if (known.isArray()) {
            return "is an array (" + known.getSimpleName() + "), which has no text that shows its value";
        }
        if (Collection.class.isAssignableFrom(known)) {
            return problemOf(type.as(Collection.class).getGenerics());
        }
        if (Map.class.isAssignableFrom(known)) {
            return problemOf(type.as(Map.class).getGenerics());
        }
        if (known == Optional.class) {
            return problemOf(type.getGenerics());
        }
        boolean isConcrete = !known.isInterface()
                && !known.isPrimitive()
                && !java.lang.reflect.Modifier.isAbstract(known.getModifiers());
        return isConcrete && known != Object.class && inheritsItsText(known) ? withoutText(known) : null;
    }

    private static @Nullable String problemOf(ResolvableType... elements) {
        for (ResolvableType element : elements) {
            String problem = problemOf(element);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    /** Returns the problem that one value has, or null. */
    static @Nullable String problemOf(Object value, String text) {
        Class<?> type = value.getClass();
        if (type.isArray()) {
            return "is an array (" + type.getSimpleName() + "), which has no text that shows its value";
        }
        if (inheritsItsText(type)) {
            return withoutText(type);
        }
        if (isUnordered(value)) {
            return "is a " + type.getSimpleName()
                    + ", whose elements have no order, so the text of equal values may differ";
        }
        if (text.indexOf('@') < 0) {
            return null;
        }
        return identityIn(text, type.getClassLoader());
    }

    /** Returns the problem of a text that contains a default {@code toString}. An e-mail address has the same form, but no class has the name of its user. */
    private static @Nullable String identityIn(String text, @Nullable ClassLoader loader) {
        Matcher matcher = IDENTITY.matcher(text);
        while (matcher.find()) {
            String name = matcher.group(1);
            int array = name.indexOf('[');
            String element = name.substring(name.lastIndexOf('[') + 1);
            boolean isArray = array >= 0 && element.matches("[ZBCSIJFD]|L[^;]+;");
            if (isArray || name.contains("$$Lambda") || endsWithClass(element, loader)) {
                return "contains '" + matcher.group() + "', which identifies an object and not its value";
            }
        }
        return null;
    }

    /** Returns whether a name ends with the name of a class; a sum may have put any text before it. */
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

    private static boolean isUnordered(Object value) {
        return (value instanceof Set && !(value instanceof SortedSet) && !(value instanceof EnumSet))
                || (value instanceof Map && !(value instanceof SortedMap) && !(value instanceof EnumMap));
    }

    private static boolean inheritsItsText(Class<?> type) {
        java.lang.reflect.Method text = ReflectionUtils.findMethod(type, "toString");
        return text == null || text.getDeclaringClass() == Object.class;
    }

    private static String withoutText(Class<?> type) {
        return "is of " + type.getName() + ", which does not override toString";
    }
}
