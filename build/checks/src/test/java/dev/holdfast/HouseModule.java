package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * The main code of one module, found by the place from which its root package was loaded: a jar or {@code target/classes}, never tests.
 *
 * <p>Each module has a floor, a number of classes below which its import has gone wrong. A rule that sees too few classes fails, instead of passing
 * without a check. Raise a floor when its module has grown.
 */
enum HouseModule {
    CORE("dev.holdfast", 100),
    REDIS_PROCESS("dev.holdfast.redis.process", 30),
    TESTKIT("dev.holdfast.testkit", 60),
    SIMULATOR("dev.holdfast.simulator", 25),
    REDIS("dev.holdfast.redis", 30),
    SERVER_CLIENT("dev.holdfast.server.client", 10),
    POSTGRESQL("dev.holdfast.postgresql", 10),
    CLUSTER("dev.holdfast.cluster", 20),
    MICROMETER("dev.holdfast.micrometer", 7),
    JUNIT("dev.holdfast.junit", 8),
    KOTLIN("dev.holdfast.kotlin", 20),
    SERVER("dev.holdfast.server", 60),
    LOCKED("dev.holdfast.locked", 8),
    SPRING("dev.holdfast.spring", 30),
    SPRING_BOOT_3("dev.holdfast.spring.boot3", 4),
    CDI("dev.holdfast.cdi", 50),
    QUARKUS("dev.holdfast.quarkus.runtime", 12),
    QUARKUS_DEPLOYMENT("dev.holdfast.quarkus.deployment", 6),
    QUARKUS_SAMPLE("dev.holdfast.quarkus.sample", 4),
    SAMPLE("dev.holdfast.sample", 15),
    CLI("dev.holdfast.cli", 40),
    REPORT("dev.holdfast.report", 4),
    TORTURE("dev.holdfast.torture", 20),
    BENCHMARKS("dev.holdfast.benchmarks", 50),
    EXAMPLES("dev.holdfast.examples", 1);

    /** Code that JMH generates follows other rules. */
    private static final ImportOption WRITTEN_BY_US = location -> !location.contains("/jmh_generated/");

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(WRITTEN_BY_US)
            .importLocations(Stream.of(values())
                    .map(module -> Location.of(module.location))
                    .toList());

    final String root;
    private final int floor;
    private final URI location;

    HouseModule(String root, int floor) {
        this.root = root;
        this.floor = floor;
        this.location = locationOf(root);
    }

    /** Returns the classes of these modules, after a check that each module has enough of them. */
    static JavaClasses classesOf(HouseModule... modules) {
        for (HouseModule module : modules) {
            int found = (int) ALL.stream().filter(module::holds).count();
            assertThat(found).as("classes in %s", module).isGreaterThanOrEqualTo(module.floor);
        }
        return ALL.that(DescribedPredicate.describe(
                "lie in " + Arrays.toString(modules),
                javaClass -> Arrays.stream(modules).anyMatch(module -> module.holds(javaClass))));
    }

    /** Returns the classes of all modules except these, so that a new module is held to the rules. */
    static JavaClasses allBut(HouseModule... modules) {
        return classesOf(EnumSet.complementOf(EnumSet.copyOf(List.of(modules))).toArray(HouseModule[]::new));
    }

    boolean holds(JavaClass javaClass) {
        return javaClass
                .getSource()
                .filter(source -> source.getUri().toString().contains(location.getPath()))
                .isPresent();
    }

    private static URI locationOf(String root) {
        try {
            return Class.forName(root + ".package-info")
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI();
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IllegalStateException("the root package of a module needs a package-info: " + root, e);
        }
    }
}
