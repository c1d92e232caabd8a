package dev.holdfast.cdi.reader;

import dev.holdfast.locked.GeneratedEquals;
import dev.holdfast.locked.KeyText;
import dev.holdfast.locked.KotlinMetadata;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.ClassType;
import org.jboss.jandex.DotName;
import org.jboss.jandex.MethodInfo;
import org.jboss.jandex.Type;
import org.jspecify.annotations.Nullable;

/** The types that a key may have, as far as declarations show them. */
public final class KeyTypes {

    private static final Set<DotName> PLAIN = names(
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
            UUID.class,
            CharSequence.class,
            Enum.class);
    private static final Set<DotName> IDENTITIES = names(CharSequence.class, Enum.class);
    private static final DotName OPTIONAL = DotName.createSimple(Optional.class);
    private static final Set<DotName> LISTS_AND_SETS = names(List.class, Set.class);
    private static final Set<DotName> MAPS = names(Map.class);
    private static final Set<DotName> CLOCKS = names(Clock.class);

    private final TypeTree types;
    private final Set<DotName> converted;

    /**
     * Creates a check.
     *
     * @param converted the types for which the application has a converter
     */
    public KeyTypes(TypeTree types, Set<DotName> converted) {
        this.types = types;
        this.converted = converted;
    }

    private static Set<DotName> names(Class<?>... classes) {
        return Stream.of(classes).map(DotName::createSimple).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the problem that all values of a type have, as the end of a sentence that begins with the key; null if none is known. */
    @Nullable
    String problemOf(Type type) {
        return problemOf(type, new HashSet<>());
    }

    /** Returns whether equal values of a type have the same hash code in every process, as {@link KeyText#hasStableHash} does. */
    boolean isHashStable(Type declared) {
        Type type = TypeTree.bound(declared);
        boolean isIdentity = types.isA(type.name(), IDENTITIES) || types.isA(type.name(), converted);
        return type.kind() == Type.Kind.PRIMITIVE
                || type.name().equals(DotName.STRING_NAME)
                || (isPlain(type.name()) && !isIdentity);
    }

    private @Nullable String problemOf(Type declared, Set<DotName> records) {
        Type type = TypeTree.bound(declared);
        DotName name = type.name();
        if (type.kind() == Type.Kind.ARRAY) {
            return KeyText.undefined(type.toString());
        }
        if (type.kind() == Type.Kind.PRIMITIVE || name.equals(DotName.OBJECT_NAME) || isPlain(name)) {
            return null;
        }
        ClassInfo known = types.find(name);
        if (known == null) {
            return null; // known at the call
        }
        if (known.isRecord()) {
            if (hasOwnEquals(known)) {
                return KeyText.ownEquals(name.toString());
            }
            return records.add(name)
                    ? firstProblem(known.recordComponents().stream().map(part -> part.type()), records)
                    : null;
        }
        if (name.equals(OPTIONAL) || types.isA(name, LISTS_AND_SETS)) {
            return type.kind() == Type.Kind.PARAMETERIZED_TYPE
                    ? firstProblem(type.asParameterizedType().arguments().stream(), records)
                    : null;
        }
        boolean isOpen = known.isInterface() || Modifier.isAbstract(known.flags());
        return isOpen && !types.isA(name, MAPS) ? null : KeyText.undefined(name.toString());
    }

    /** Returns whether a record declares {@code equals} itself, as {@link KeyText#hasOwnEquals} does. */
    private static boolean hasOwnEquals(ClassInfo type) {
        MethodInfo equals = type.method("equals", ClassType.OBJECT_TYPE);
        if (equals == null) {
            return false;
        }
        return Modifier.isFinal(equals.flags())
                ? !GeneratedEquals.isIn(
                        type.name().toString(), Thread.currentThread().getContextClassLoader())
                : !isGeneratedByKotlin(type);
    }

    private static boolean isGeneratedByKotlin(ClassInfo type) {
        AnnotationInstance kotlin = type.declaredAnnotation(KotlinMetadata.ANNOTATION);
        return kotlin != null && KotlinMetadata.generatesEquals(texts(kotlin, "d1"), texts(kotlin, "d2"));
    }

    private static String[] texts(AnnotationInstance mark, String element) {
        AnnotationValue value = mark.value(element);
        return value == null ? new String[0] : value.asStringArray();
    }

    private @Nullable String firstProblem(Stream<Type> parts, Set<DotName> records) {
        return parts.map(part -> Optional.ofNullable(problemOf(part, records)))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
    }

    private boolean isPlain(DotName name) {
        return types.isA(name, PLAIN)
                || types.isA(name, converted)
                || (name.toString().startsWith("java.time.") && !types.isA(name, CLOCKS));
    }
}
