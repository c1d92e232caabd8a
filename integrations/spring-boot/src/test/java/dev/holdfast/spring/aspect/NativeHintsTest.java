package dev.holdfast.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** The hints for native images, as Spring finds and evaluates them. */
class NativeHintsTest {

    private static RuntimeHints hints() {
        RuntimeHints hints = new RuntimeHints();
        AotServices.factories().load(RuntimeHintsRegistrar.class).asList().stream()
                .filter(registrar -> registrar.getClass().getName().startsWith("dev.holdfast"))
                .forEach(registrar -> registrar.registerHints(hints, null));
        return hints;
    }

    @ParameterizedTest
    @CsvSource({"redis/**/*.lua, 6", "postgresql/**/*.sql, 5"})
    void e25_everyScriptIsInTheImage(String files, int atLeast) throws IOException {
        Resource[] scripts = new PathMatchingResourcePatternResolver().getResources("classpath*:dev/holdfast/" + files);
        assertThat(scripts).hasSizeGreaterThanOrEqualTo(atLeast);
        for (Resource script : scripts) {
            String path = script.getURL().toString();
            String name = path.substring(path.indexOf("dev/holdfast/"));
            assertThat(RuntimeHintsPredicates.resource().forResource(name))
                    .as(name)
                    .accepts(hints());
        }
    }

    @Test
    void e25_keysReadTheRootObject() {
        for (var component : LockKey.Root.class.getRecordComponents()) {
            assertThat(RuntimeHintsPredicates.reflection()
                            .onMethodInvocation(Objects.requireNonNull(component.getAccessor())))
                    .as(component.getName())
                    .accepts(hints());
        }
    }
}
