package dev.holdfast.cdi.reader;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.ClassType;
import org.jboss.jandex.DotName;
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
