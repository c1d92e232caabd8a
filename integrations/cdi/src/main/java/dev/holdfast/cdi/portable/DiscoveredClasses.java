package dev.holdfast.cdi.portable;

import dev.holdfast.cdi.reader.Container;
import dev.holdfast.cdi.reader.KeyTypes;
import dev.holdfast.cdi.reader.LockedMethodReader;
import dev.holdfast.cdi.reader.Names;
import dev.holdfast.cdi.reader.ReadMethods;
import dev.holdfast.cdi.reader.TypeTree;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;

/** The classes that a container has discovered, as far as locked methods need them. Not thread-safe. */
final class DiscoveredClasses {

    private final Set<Class<?>> annotated = new LinkedHashSet<>();
    private final Set<Class<?>> beans = new HashSet<>();
    private final Set<DotName> converted = new HashSet<>();

    void addAnnotated(Class<?> type) {
        annotated.add(type);
    }

    void addBean(Class<?> type) {
        beans.add(type);
    }

    /** Adds a type for which the application has a converter. */
    void addConverted(Type type) {
        if (type instanceof Class<?> converter) {
            converted.add(DotName.createSimple(converter));
        }
    }

    /** Reads the locked methods of all classes and of their supertypes. */
    ReadMethods read() {
        TypeTree types = new TypeTree(new ClassFiles(annotated));
        Container container = new Container("the container", false, false, this::beansOf);
        LockedMethodReader reader = new LockedMethodReader(types, new KeyTypes(types, converted), container);
        return ReadMethods.of(reader, annotations(types));
    }

    private Set<DotName> beansOf(DotName name) {
        return beans.stream()
                .filter(bean ->
                        selfAndSupertypes(bean).anyMatch(type -> type.getName().equals(name.toString())))
                .map(DotName::createSimple)
                .collect(Collectors.toUnmodifiableSet());
    }

    private Collection<AnnotationInstance> annotations(TypeTree types) {
        Map<DotName, ClassInfo> classes = new LinkedHashMap<>();
        annotated.stream()
                .flatMap(DiscoveredClasses::selfAndSupertypes)
                .map(DotName::createSimple)
                .forEach(name -> classes.computeIfAbsent(name, types::find));
        return classes.values().stream().flatMap(DiscoveredClasses::annotations).toList();
    }

    private static Stream<AnnotationInstance> annotations(ClassInfo type) {
        return Stream.of(Names.LOCKED, Names.LOCKED_JOB).flatMap(name -> type.annotations(name).stream());
    }

    private static Stream<Class<?>> selfAndSupertypes(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                        .flatMap(DiscoveredClasses::selfAndSupertypes));
    }
}
