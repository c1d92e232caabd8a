package dev.holdfast.quarkus.deployment;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.ClassType;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.Type;
import org.jspecify.annotations.Nullable;

/** The classes of the application and their supertypes, without loading them. */
final class TypeTree {

    private final IndexView index;

    /**
     * Creates a tree.
     *
     * @param index an index that also reads classes that were not indexed, such as those of the JDK
     */
    TypeTree(IndexView index) {
        this.index = index;
    }

    @Nullable
    ClassInfo find(DotName name) {
        return index.getClassByName(name);
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

    /** Returns whether a class with this property, or a subclass of it, exists among these. */
    boolean isOrHasSubclass(DotName type, Predicate<DotName> property) {
        return property.test(type)
                || index.getAllKnownSubclasses(type).stream().anyMatch(sub -> property.test(sub.name()));
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
