package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Limits that keep the code readable. A line of code is one that is not blank, no comment, and no package or import line. */
class CodeSizeTest {

    private static final Path ROOT = Path.of(System.getProperty("maven.multiModuleProjectDirectory", "../.."));
    private static final Path CORE = ROOT.resolve("core/src/main/java/dev/holdfast");
    private static final List<String> PRODUCT = List.of("core", "nodes", "server", "cli", "integrations");

    private static final int LINES_OF_CORE = 11_000;
    private static final int LINES_OF_QUORUM = 1_200;
    private static final int LINES_OF_A_FILE = 400;
    private static final int PARAMETERS = 6;

    private static final HouseModule[] PRODUCT_MODULES = {
        HouseModule.CORE,
        HouseModule.REDIS,
        HouseModule.REDIS_PROCESS,
        HouseModule.SERVER_CLIENT,
        HouseModule.POSTGRESQL,
        HouseModule.CLUSTER,
        HouseModule.MICROMETER,
        HouseModule.JUNIT,
        HouseModule.SERVER,
        HouseModule.LOCKED,
        HouseModule.SPRING,
        HouseModule.CDI,
        HouseModule.QUARKUS,
        HouseModule.QUARKUS_DEPLOYMENT,
        HouseModule.CLI
    };

    /** The records that still have more: rows of a table or a page, settings that a user writes, arguments of a function of the database. */
    private static final Set<String> MANY_PARAMETERS = Set.of(
            "dev.holdfast.postgresql.Connected",
            "dev.holdfast.postgresql.LockCall",
            "dev.holdfast.server.Limits",
            "dev.holdfast.server.lease.LockRequest",
            "dev.holdfast.server.view.LockRow",
            "dev.holdfast.server.view.TableQuery",
            "dev.holdfast.spring.actuate.HoldfastEndpoint$Holder",
            "dev.holdfast.spring.actuate.HoldfastEndpoint$Locks",
            "dev.holdfast.spring.aspect.LockedMethod",
            "dev.holdfast.spring.boot.HoldfastProperties");

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^[ \\t]*//[^\\n]*");
    private static final Pattern HEAD = Pattern.compile("(import|package) .*");

    @Test
    void coreStaysSmall() {
        assertThat(linesOfCode(CORE)).isBetween(5_000, LINES_OF_CORE);
    }

    // a senior engineer should be able to read the algorithm in one sitting
    @Test
    void theQuorumProtocolReadsInOneSitting() {
        assertThat(linesOfCode(CORE.resolve("internal/quorum"))).isBetween(500, LINES_OF_QUORUM);
    }

    @Test
    void noFileOfTheProductIsLong() {
        List<Path> files = PRODUCT.stream()
                .flatMap(folder -> sources(ROOT.resolve(folder)).stream())
                .filter(file -> file.toString().contains("/src/main/"))
                .toList();

        assertThat(files).hasSizeGreaterThan(400);
        assertThat(files)
                .allSatisfy(file -> assertThat(read(file).lines().count())
                        .as("lines of %s", file)
                        .isLessThanOrEqualTo(LINES_OF_A_FILE));
    }

    @Test
    void noConstructorOfTheProductHasManyParameters() {
        List<JavaConstructor> constructors = HouseModule.classesOf(PRODUCT_MODULES).stream()
                .filter(type -> !type.isEnum() && !MANY_PARAMETERS.contains(type.getName()))
                .flatMap(type -> type.getConstructors().stream())
                .toList();

        assertThat(constructors).hasSizeGreaterThan(400);
        assertThat(constructors)
                .allSatisfy(constructor -> assertThat(parameters(constructor))
                        .as(constructor.getFullName())
                        .isLessThanOrEqualTo(PARAMETERS));
    }

    @Test
    void everyExceptionIsNeeded() {
        Set<String> many = HouseModule.classesOf(PRODUCT_MODULES).stream()
                .filter(type -> !type.isEnum()
                        && type.getConstructors().stream().anyMatch(made -> parameters(made) > PARAMETERS))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());

        assertThat(many).isEqualTo(MANY_PARAMETERS);
    }

    /** Returns the number of parameters in the source: an inner class has its outer object as a hidden one. */
    private static int parameters(JavaConstructor constructor) {
        JavaClass owner = constructor.getOwner();
        boolean hidden = owner.isNestedClass() && !owner.getModifiers().contains(JavaModifier.STATIC);
        return constructor.getRawParameterTypes().size() - (hidden ? 1 : 0);
    }

    private static int linesOfCode(Path folder) {
        return sources(folder).stream()
                .mapToInt(file -> (int) COMMENT.matcher(read(file))
                        .replaceAll("")
                        .lines()
                        .filter(line -> !line.isBlank() && !HEAD.matcher(line).matches())
                        .count())
                .sum();
    }

    private static List<Path> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().matches(".*\\.(java|kt)"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
