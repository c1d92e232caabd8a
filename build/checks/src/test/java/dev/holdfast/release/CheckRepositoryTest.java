package dev.holdfast.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A correct release of one module and the BOM, and then variants of it with one fault each. */
class CheckRepositoryTest {

    private static final String HEAD = "<groupId>dev.holdfast</groupId><artifactId>%s</artifactId>"
            + "<version>1.0</version><name>n</name><description>d</description><url>u</url>"
            + "<licenses><license><name>l</name><url>u</url></license></licenses>"
            + "<developers><developer><name>m</name></developer></developers>"
            + "<scm><connection>c</connection><url>u</url></scm>";

    @TempDir
    Path repository;

    @BeforeEach
    void release() throws Exception {
        String core = "<dependency><groupId>dev.holdfast</groupId><artifactId>holdfast-core</artifactId></dependency>";
        file(
                "holdfast-bom",
                ".pom",
                project(
                        "holdfast-bom",
                        "<packaging>pom</packaging><dependencyManagement><dependencies>" + core
                                + "</dependencies></dependencyManagement>"));
        file(
                "holdfast-core",
                ".pom",
                project(
                        "holdfast-core",
                        "<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version>"
                                + "</dependency></dependencies>"));
        for (String kind : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
            jar(kind, "dev.holdfast", "inside");
        }
        file("holdfast-core", "-cyclonedx.json", "{}".getBytes());
        file("holdfast-core", "-cyclonedx.xml", "<a/>".getBytes());
    }

    private static byte[] project(String artifact, String rest) {
        return ("<project>" + HEAD.formatted(artifact) + rest + "</project>").getBytes();
    }

    private Path path(String artifact, String kind) {
        return repository.resolve("dev/holdfast/" + artifact + "/1.0/" + artifact + "-1.0" + kind);
    }

    private void file(String artifact, String kind, byte[] bytes) throws Exception {
        Path file = path(artifact, kind);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        Files.writeString(Path.of(file + ".md5"), digest("MD5", bytes));
        Files.writeString(Path.of(file + ".sha1"), digest("SHA-1", bytes));
    }

    private static String digest(String algorithm, byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    }

    private void jar(String kind, String module, String... inside) throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!module.isEmpty()) {
            manifest.getMainAttributes().putValue("Automatic-Module-Name", module);
        }
        Path jar = repository.resolve("new.jar");
        try (OutputStream bytes = Files.newOutputStream(jar);
                JarOutputStream zip = new JarOutputStream(bytes, manifest)) {
            for (String name : inside) {
                zip.putNextEntry(new ZipEntry(name));
            }
        }
        file("holdfast-core", kind, Files.readAllBytes(jar));
    }

    private void change(String artifact, UnaryOperator<String> change) throws Exception {
        String before = Files.readString(path(artifact, ".pom"));
        String after = change.apply(before);
        assertThat(after).isNotEqualTo(before);
        file(artifact, ".pom", after.getBytes());
    }

    private List<String> complaints() throws Exception {
        return new CheckRepository(repository, "1.0").check();
    }

    @Test
    void isContentWithWhatIsWhole() throws Exception {
        assertThat(complaints()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    <name>n</name>               |                                 | has no name in its POM
                    <url>u</url></license>       | </license>                      | has no licenses/license/url in its POM
                    <connection>c</connection>   |                                 | has no scm/connection in its POM
                    <version>1.0</version>       | <version>2.0</version>          | is 2.0 by its POM
                    <name>n                      | <parent/><name>n                | has parent in its POM
                    <version>1</version>         |                                 | has dependencies without a version in its POM
                    <version>1</version>         | <version>${a}</version>         | has dependencies without a version in its POM
                    <version>1</version>         | <version>2-SNAPSHOT</version>   | needs a SNAPSHOT
                    <version>1</version>         | <version>1</version><scope>test</scope> | has dependencies/dependency[scope='test'] in its POM
                    <groupId>g</groupId>         | <groupId>dev.holdfast</groupId> | needs a, which is not here
                    """, delimiter = '|', quoteCharacter = '"')
    void readsThePom(String before, String after, String complaint) throws Exception {
        change("holdfast-core", pom -> pom.replace(before, after == null ? "" : after));

        assertThat(complaints()).containsExactly("holdfast-core " + complaint);
    }

    @ParameterizedTest
    @CsvSource({".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-cyclonedx.xml"})
    void missesEveryFile(String kind) throws Exception {
        for (String beside : List.of("", ".md5", ".sha1")) {
            Files.delete(path("holdfast-core", kind + beside));
        }

        assertThat(complaints()).containsExactly("holdfast-core has no holdfast-core-1.0" + kind);
    }

    @Test
    void countsChecksums() throws Exception {
        Files.writeString(path("holdfast-core", ".jar.sha1"), "0");
        Files.delete(path("holdfast-core", ".pom.md5"));

        assertThat(complaints())
                .containsExactlyInAnyOrder(
                        "holdfast-core has no holdfast-core-1.0.jar.sha1 that fits",
                        "holdfast-core has no holdfast-core-1.0.pom.md5 that fits");
    }

    @Test
    void wantsAllSignedOrNothing() throws Exception {
        Files.writeString(path("holdfast-core", ".pom.asc"), "");

        assertThat(complaints())
                .hasSize(6)
                .contains(
                        "holdfast-bom has no signature for holdfast-bom-1.0.pom",
                        "holdfast-core has no signature for holdfast-core-1.0-javadoc.jar");
    }

    @Test
    void looksIntoJars() throws Exception {
        jar(".jar", "", "inside");
        jar("-sources.jar", "dev.holdfast");

        assertThat(complaints())
                .containsExactlyInAnyOrder(
                        "holdfast-core names no module", "holdfast-core has nothing in holdfast-core-1.0-sources.jar");
    }

    @Test
    void holdsTheFolderAgainstTheBom() throws Exception {
        change("holdfast-bom", pom -> pom.replace("holdfast-core", "holdfast-more"));

        assertThat(complaints()).containsExactly("holdfast-more is in the BOM only", "holdfast-core is not in the BOM");
    }

    @Test
    void findsWhatDoesNotBelongThere() throws IOException, Exception {
        Files.writeString(path("holdfast-core", "-tests.jar"), "");

        assertThat(complaints()).containsExactly("holdfast-core has holdfast-core-1.0-tests.jar, which nobody expects");
    }
}
