package dev.holdfast.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Spring Boot 3.5 and Quarkus bring Jackson 2, and annotations that are older than those that a mapper of Jackson 3 needs. */
class OlderJacksonTest {

    private static final String ANNOTATIONS = "jackson-annotations";

    private static URL[] classPathWithoutAnnotations() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!part.contains(ANNOTATIONS)) {
                urls.add(Path.of(part).toUri().toURL());
            }
        }
        return urls.toArray(URL[]::new);
    }

    @Test
    void messagesAreReadAndWrittenWithoutTheAnnotations() throws Exception {
        String line = "{\"id\":1,\"op\":\"inspect\",\"resource\":\"orders:42\"}";
        try (URLClassLoader loader =
                new URLClassLoader(classPathWithoutAnnotations(), ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> loader.loadClass("com.fasterxml.jackson.annotation.JsonFormat"))
                    .isInstanceOf(ClassNotFoundException.class);
            Class<?> type = loader.loadClass(NodeRequest.Numbered.class.getName());

            Object request = type.getMethod("parse", String.class).invoke(null, line);

            assertThat(type.getMethod("text").invoke(request)).isEqualTo(line);
        }
    }
}
