package dev.holdfast.cdi.reader;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.ClassType;
import org.jboss.jandex.DotName;
import org.jboss.jandex.ParameterizedType;
import org.jboss.jandex.Type;
import org.jspecify.annotations.Nullable;

/** The classes of the application and their supertypes, without loading them. */
public final class TypeTree {

    private final Function<DotName, @Nullable ClassInfo> classes;

    /**
     * Creates a tree.
     *
     * @param classes returns each class of the application, of its libraries and of the JDK; null for one that cannot be found
     */
    public TypeTree(Function<DotName, @Nullable ClassInfo> classes) {
        this.classes = classes;
    }

    /** Returns a class; null if it cannot be found. */
    public @Nullable ClassInfo find(DotName name) {
        return classes.apply(name);
    }

    /** Returns whether a type is one of these, or a subtype of one. */
    boolean isA(DotName type, Set<DotName> these) {
        return these.contains(type) || selfAndSupertypes(type).stream().anyMatch(one -> these.contains(one.name()));
    }

    /** Returns a class, its superclasses, and the interfaces of all of these, nearest first; empty for a class that cannot be found. */
    Set<ClassInfo> selfAndSupertypes(DotName type) {
        Set<ClassInfo> found = new LinkedHashSet<>();
        add(type, found);
        return found;
    }

    private void add(DotName type, Set<ClassInfo> found) {
        ClassInfo info = find(type);
        if (info == null || !found.add(info)) {
            return;
        }
        if (info.superName() != null) {
            add(info.superName(), found);
        }
        info.interfaceNames().forEach(name -> add(name, found));
    }

    /** Returns a type that a class declares for one of its members, with the type arguments that an object of the type {@code owner} has. */
    Type seenFrom(Type owner, ClassInfo declaring, Type member) {
        Map<String, Type> arguments = argumentsOf(declaring.name(), bound(owner));
        return arguments == null ? member : substituted(member, arguments);
    }

    /** Returns the type arguments of a supertype of a type by the names of its variables; null if it is no supertype. */
    private @Nullable Map<String, Type> argumentsOf(DotName supertype, Type type) {
        ClassInfo info = find(type.name());
        if (info == null) {
            return null;
        }
        Map<String, Type> arguments = new HashMap<>();
        if (type.kind() == Type.Kind.PARAMETERIZED_TYPE) {
            List<Type> given = type.asParameterizedType().arguments();
            for (int i = 0; i < Math.min(given.size(), info.typeParameters().size()); i++) {
                arguments.put(info.typeParameters().get(i).identifier(), given.get(i));
            }
        }
        if (info.name().equals(supertype)) {
            return arguments;
        }
        return Stream.concat(Stream.ofNullable(info.superClassType()), info.interfaceTypes().stream())
                .map(next -> argumentsOf(supertype, substituted(next, arguments)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static Type substituted(Type type, Map<String, Type> arguments) {
        return switch (type.kind()) {
            case TYPE_VARIABLE -> arguments.getOrDefault(type.asTypeVariable().identifier(), type);
            case PARAMETERIZED_TYPE ->
                ParameterizedType.create(
                        type.name(),
                        type.asParameterizedType().arguments().stream()
                                .map(one -> substituted(one, arguments))
                                .toArray(Type[]::new),
                        type.asParameterizedType().owner());
            default -> type;
        };
    }

    /** Returns the name of a type as in the source, without type arguments: {@code java.lang.String[]}. */
    static String nameOf(Type type) {
        return type.kind() == Type.Kind.ARRAY
                ? nameOf(type.asArrayType().componentType()) + "[]"
                : type.name().toString();
    }

    /** Returns the type that stands for a type variable or a wildcard. */
    static Type bound(Type type) {
        return switch (type.kind()) {
            case TYPE_VARIABLE ->
                type.asTypeVariable().bounds().isEmpty()
                        ? ClassType.OBJECT_TYPE
                        : bound(type.asTypeVariable().bounds().get(0));
            case WILDCARD_TYPE -> bound(type.asWildcardType().extendsBound());
            default -> type;
        };
    }
}
