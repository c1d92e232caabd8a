package dev.holdfast.prose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.prose.rule.Rules;
import dev.holdfast.prose.source.Passages;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The project's own texts keep the rules of style. Grammar takes minutes: {@code make prose} checks it. */
@Tag("slow")
class ProjectTest {

    private static final Rules RULES = new Rules(false);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CHANGELOG.md",
                "CONTRIBUTING.md",
                "README.md",
                "build/checks/src/test",
                "build/prose",
                "cli/README.md",
                "cli/src/main",
                "cli-tests/src/test",
                "core",
                "core-tests/src/test",
                "docs",
                "examples/clients",
                "examples/code",
                "examples/code/src/test",
                "examples/kotlin",
                "examples/sample/README.md",
                "examples/sample/src/main",
                "examples/sample/src/test",
                "examples/quarkus-sample/src/main",
                "examples/quarkus-sample/src/test",
                "integrations/cdi",
                "integrations/cdi/src/test",
                "integrations/junit",
                "integrations/kotlin",
                "integrations/locked",
                "integrations/micrometer",
                "integrations/micrometer/src/test",
                "integrations/quarkus",
                "integrations/quarkus-deployment",
                "integrations/quarkus-deployment/src/test",
                "integrations/spring-boot",
                "integrations/spring-boot-starter",
                "integrations/spring-boot/src/test",
                "nodes/cluster",
                "nodes/cluster-tests/src/test",
                "nodes/postgresql",
                "nodes/postgresql-tests",
                "nodes/redis-process",
                "nodes/redis-process/src/test",
                "nodes/redis-tests/src/test",
                "nodes/redis/src/main/java",
                "nodes/server-client",
                "proof/benchmarks",
                "proof/benchmarks/src/test",
                "proof/report",
                "proof/simulator",
                "proof/simulator/src/test",
                "proof/testkit",
                "proof/testkit/src/test",
                "proof/torture",
                "proof/torture/src/test",
                "server/src/main",
                "server-tests/browser/README.md",
                "server-tests/src/test"
            })
    void keepsTheRules(String folder) {
        Path root = Path.of(System.getProperty("maven.multiModuleProjectDirectory", "../.."))
                .resolve(folder);

        assertThat(Passages.below(root).stream().flatMap(passage -> RULES.check(passage).stream()))
                .isEmpty();
    }
}
