package dev.holdfast.testkit.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Loads all classes of Holdfast once more, with the classes of a mutant in place of the original ones. Everything else comes from the test's own loader, so a
 * test and a class that this loader creates have only types of the JDK and of other libraries in common.
 */
public final class MutantLoader extends ClassLoader {

    private static final String OURS = "dev.holdfast.";

    private final Path classes;

    /**
     * Compiles the mutant. Fails if an edit does not fit its file, or if the result does not compile.
     *
     * @param mutant its name, for messages
     * @param edits the mistake; an empty list loads the code as it is
     * @param folder an empty folder, for sources and classes
     */
    public MutantLoader(String mutant, List<SourceEdit> edits, Path folder) throws IOException {
        super(MutantLoader.class.getClassLoader());
        this.classes = Files.createDirectories(folder.resolve("classes"));
        if (!edits.isEmpty()) {
            compile(sources(mutant, edits, folder.resolve("sources")));
        }
    }

    /** Fails if an edit does not fit its file. */
    public static void requireFit(String mutant, List<SourceEdit> edits) throws IOException {
        texts(mutant, edits);
    }

    /** Returns the texts of the mutated files, by their names in a folder of sources. */
    private static Map<String, String> texts(String mutant, List<SourceEdit> edits) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        Path project = project();
        for (SourceEdit edit : edits) {
            String text = texts.containsKey(edit.file())
                    ? texts.get(edit.file())
                    : Files.readString(project.resolve(edit.path()));
            assertThat(text.split(Pattern.quote(edit.from()), -1))
                    .as("mutant '%s' no longer fits %s: it needs once: %s", mutant, edit.source(), edit.from())
                    .hasSize(2);
            texts.put(edit.file(), text.replace(edit.from(), edit.to()));
        }
        return texts;
    }

    private static List<Path> sources(String mutant, List<SourceEdit> edits, Path folder) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Map.Entry<String, String> text : texts(mutant, edits).entrySet()) {
            Path source = folder.resolve(text.getKey());
            Files.createDirectories(source.getParent());
            Files.writeString(source, text.getValue());
            sources.add(source);
        }
        return sources;
    }

    /** Returns the project's folder, which contains the folder of the module under test. */
    private static Path project() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("the tests do not run in a folder of the project");
            }
        }
        return folder;
    }

    private void compile(List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        String classPath = System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path")); // the former in a build
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            messages,
                            files,
                            null,
                            List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }

    /** Creates an object of this class, which has a public constructor without parameters, with the mutant's code. */
    public Object create(Class<?> type) throws ReflectiveOperationException {
        return loadClass(type.getName()).getConstructor().newInstance();
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
