package dev.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Loads the classes of this package once more, so that they read the scripts of a mutant. */
final class LuaMutantLoader extends ClassLoader {

    private static final String OURS = LuaScript.class.getPackageName() + ".";
    private static final String FOLDER = OURS.replace('.', '/');
    private static final Path SCRIPTS = Path.of("../redis/src/main/resources").resolve(FOLDER);

    private final Map<String, byte[]> scripts = new HashMap<>();

    LuaMutantLoader(LuaMutant mutant) throws IOException {
        super(LuaMutantLoader.class.getClassLoader());
        Map<String, String> texts = new HashMap<>();
        for (LuaMutant.Edit edit : mutant.edits()) {
            String text = texts.containsKey(edit.file())
                    ? texts.get(edit.file())
                    : Files.readString(SCRIPTS.resolve(edit.file()));
            assertThat(text.split(Pattern.quote(edit.from()), -1))
                    .as("mutant '%s' no longer fits %s: it needs once: %s", mutant, edit.file(), edit.from())
                    .hasSize(2);
            texts.put(edit.file(), text.replace(edit.from(), edit.to()));
        }
        texts.forEach((file, text) -> scripts.put(FOLDER + file, text.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        byte[] mutated = scripts.get(name);
        return mutated == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(mutated);
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
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
