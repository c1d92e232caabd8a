package dev.holdfast.cdi.portable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.Index;
import org.jspecify.annotations.Nullable;

/** The class files of the application, of its libraries and of the JDK, read one by one. Not thread-safe. */
final class ClassFiles implements Function<DotName, @Nullable ClassInfo> {

    private final Set<ClassLoader> loaders = new LinkedHashSet<>();
    private final Map<DotName, Optional<ClassInfo>> known = new HashMap<>();

    /**
     * Creates a reader of class files.
     *
     * @param classes classes whose loaders find the others
     */
    ClassFiles(Collection<Class<?>> classes) {
        Stream.concat(
                        classes.stream().map(Class::getClassLoader),
                        Stream.of(
                                Thread.currentThread().getContextClassLoader(),
                                ClassFiles.class.getClassLoader(),
                                ClassLoader.getPlatformClassLoader()))
                .filter(Objects::nonNull)
                .forEach(loaders::add);
    }

    @Override
    public @Nullable ClassInfo apply(DotName name) {
        Optional<ClassInfo> found = known.get(name);
        if (found == null) {
            found = read(name);
            known.put(name, found);
        }
        return found.orElse(null);
    }

    private Optional<ClassInfo> read(DotName name) {
        String file = name.toString().replace('.', '/') + ".class";
        for (ClassLoader loader : loaders) {
            try (InputStream bytes = loader.getResourceAsStream(file)) {
                if (bytes != null) {
                    return Optional.of(Index.singleClass(bytes));
                }
            } catch (IOException e) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }
}
