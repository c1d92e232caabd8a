package dev.holdfast.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.LockTable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Loads all of Holdfast once more, with the classes of a mutant in the place of the true ones. */
final class MutantLoader extends ClassLoader {

    private static final Path SOURCES = Path.of("..", "..", "core", "src", "main", "java", "dev", "holdfast");
    private static final String OURS = "dev.holdfast.";

    private final Path classes;

    /**
     * Compiles the mutant.
     *
     * @param folder an empty one, for sources and classes
     */
    MutantLoader(Mutant mutant, Path folder) throws IOException {
        super(MutantLoader.class.getClassLoader());
        this.classes = Files.createDirectories(folder.resolve("classes"));
        compile(sources(mutant, folder.resolve("sources")));
    }

    private static List<Path> sources(Mutant mutant, Path folder) throws IOException {
        Map<String, String> texts = new HashMap<>();
        for (Mutant.Edit edit : mutant.edits()) {
            String text = texts.containsKey(edit.source())
                    ? texts.get(edit.source())
                    : Files.readString(SOURCES.resolve(edit.source() + ".java"));
            assertThat(text.split(Pattern.quote(edit.from()), -1))
                    .as("mutant '%s' no longer fits %s: it needs once: %s", mutant, edit.source(), edit.from())
                    .hasSize(2);
            texts.put(edit.source(), text.replace(edit.from(), edit.to()));
        }
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Path file = folder.resolve(text.getKey() + ".java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, text.getValue());
        }
        return texts.keySet().stream()
                .map(source -> folder.resolve(source + ".java"))
                .toList();
    }

    private void compile(List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            said,
                            files,
                            null,
                            List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath()),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).as(said.toString()).isTrue();
        }
    }

    private static String classPath() {
        return String.join(
                File.pathSeparator,
                Stream.of(LockTable.class, NullMarked.class)
                        .map(type -> Path.of(URI.create(type.getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toString()))
                                .toString())
                        .toList());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try {
            Path mutated = classes.resolve(file);
            byte[] bytes = Files.exists(mutated) ? Files.readAllBytes(mutated) : original(file);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte @Nullable [] original(String file) throws IOException {
        try (InputStream in = getParent().getResourceAsStream(file)) {
            return in == null ? null : in.readAllBytes();
        }
    }
}
