package dev.holdfast.prose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.prose.rule.Rules;
import dev.holdfast.prose.source.Passages;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The project's own texts keep the rules of style. Grammar takes minutes: {@code make prose} checks it. */
class ProjectTest {

    private static final Rules RULES = new Rules(false);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CHANGELOG.md",
                "CONTRIBUTING.md",
                "README.md",
                "build/prose",
                "cli/README.md",
                "cli/src/main",
                "docs",
                "examples/clients",
                "examples/code",
                "examples/sample/README.md",
                "integrations/junit",
                "integrations/micrometer",
                "integrations/spring-boot",
                "integrations/spring-boot-starter",
                "nodes/postgresql",
                "nodes/postgresql-tests",
                "nodes/redis-process",
                "proof/benchmarks",
                "proof/report",
                "proof/testkit",
                "proof/torture",
                "server-tests/browser/README.md"
            })
    void keepsTheRules(String folder) {
        Path root = Path.of(System.getProperty("maven.multiModuleProjectDirectory", "../.."))
                .resolve(folder);

        assertThat(Passages.below(root).stream().flatMap(passage -> RULES.check(passage).stream()))
                .isEmpty();
    }
}
