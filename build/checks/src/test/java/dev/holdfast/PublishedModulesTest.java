package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The published modules are complete: the BOM lists them, none needs an unpublished module, and their jars can be Java modules. */
class PublishedModulesTest {

    private static final List<ModulePom> PUBLISHED = ModulePom.published();

    private static Set<String> artifacts(List<ModulePom> modules) {
        return modules.stream().map(ModulePom::artifact).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the jars by artifact. Without packaging ({@code make test}) there are none, so there is nothing to check. */
    private static Map<String, Path> jars() {
        Map<String, Path> jars = new TreeMap<>();
        for (ModulePom module : PUBLISHED) {
            if (module.hasJar()) {
                jars.put(module.artifact(), module.onTheClassPath());
            }
        }
        assertThat(jars).hasSizeGreaterThanOrEqualTo(9);
        assumeThat(jars.values()).as("not packaged yet").noneMatch(Files::isDirectory);
        return jars;
    }

    private static ModulePom bom() {
        return ModulePom.all().stream()
                .filter(module -> module.artifact().equals("holdfast-bom"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theBomListsWhatIsPublishedAndNothingElse() {
        Set<String> wanted = artifacts(PUBLISHED);
        assertThat(wanted.remove("holdfast-bom"))
                .as("the BOM itself is published")
                .isTrue();

        assertThat(bom().texts("//dependencyManagement/dependencies/dependency/artifactId"))
                .as(
                        "build/bom/pom.xml lists every module that is published: one that is missing has to be added there, or has"
                                + " to set maven.deploy.skip in its own POM")
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(bom().texts("//dependencyManagement/dependencies/dependency/version"))
                .containsOnly("${project.version}");
    }

    @Test
    void someModulesAreForThisBuildOnly() {
        Set<String> kept = artifacts(ModulePom.all());
        kept.removeAll(artifacts(PUBLISHED));

        assertThat(kept).contains("holdfast-benchmarks", "holdfast-examples", "holdfast-report", "holdfast-torture");
    }

    @Test
    void nothingPublishedNeedsWhatIsNot() {
        Set<String> published = artifacts(PUBLISHED);
        for (ModulePom module : PUBLISHED) {
            assertThat(module.dependencies().stream().filter(name -> name.startsWith("holdfast-")))
                    .as("what %s brings along", module)
                    .isSubsetOf(published);
        }
    }

    @Test
    void everyoneIsToldWhatAModuleIs() throws IOException {
        String page = Files.readString(Path.of("../../docs/guides/releasing.md"));
        for (ModulePom module : PUBLISHED) {
            assertThat(module.text("/project/name")).as("name of %s", module).startsWith("Holdfast: ");
            assertThat(module.text("/project/description"))
                    .as("description of %s", module)
                    .isNotEmpty();
            assertThat(page).as("docs/guides/releasing.md").contains("| `" + module.artifact() + "` |");
        }
    }

    @Test
    void everyJarNamesItsModuleAndItsLicense() throws IOException {
        Map<String, Path> jars = jars();
        for (ModulePom module : PUBLISHED) {
            if (!module.hasJar()) {
                continue;
            }
            try (JarFile jar = new JarFile(jars.get(module.artifact()).toFile())) {
                Attributes manifest = jar.getManifest().getMainAttributes();
                assertThat(manifest.getValue("Automatic-Module-Name"))
                        .as("module name of %s, from the property module.name of its POM", module)
                        .startsWith("dev.holdfast")
                        .isEqualTo(module.text("/project/properties/module.name"));
                assertThat(manifest.getValue("Implementation-Version")).isNotEmpty();
                assertThat(jar.getEntry("META-INF/LICENSE"))
                        .as("license in %s", module)
                        .isNotNull();
            }
        }
    }

    @Test
    void noPackageIsInTwoJars() throws IOException {
        Map<String, Set<String>> places = new TreeMap<>();
        for (Map.Entry<String, Path> artifact : jars().entrySet()) {
            for (String inside : packages(artifact.getValue())) {
                places.computeIfAbsent(inside, any -> new TreeSet<>()).add(artifact.getKey());
            }
        }

        assertThat(places).hasSizeGreaterThanOrEqualTo(15);
        assertThat(places.values()).as("split packages: %s", places).allMatch(jars -> jars.size() == 1);
    }

    private static Set<String> packages(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/"))
                    .map(name -> name.substring(0, name.lastIndexOf('/')).replace('/', '.'))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Java reads all names, packages and providers here, and rejects what it would reject on a module path. */
    @Test
    void theJarsAreModulesBesideEachOther() {
        ModuleFinder finder = ModuleFinder.of(jars().values().toArray(Path[]::new));
        Set<String> names = finder.findAll().stream()
                .map(ModuleReference::descriptor)
                .map(ModuleDescriptor::name)
                .collect(Collectors.toCollection(TreeSet::new));

        Configuration together = ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), names);

        assertThat(names).hasSize(jars().size()).contains("dev.holdfast", "dev.holdfast.redis");
        assertThat(together.modules()).hasSize(names.size());
        assertThat(finder.find("dev.holdfast.redis").orElseThrow().descriptor().provides())
                .as("providers of nodes")
                .anyMatch(provides -> provides.service().equals("dev.holdfast.node.NodeProvider"));
    }
}
