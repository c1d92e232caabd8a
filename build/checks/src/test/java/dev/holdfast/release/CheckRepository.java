package dev.holdfast.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Checks a folder to which a release was deployed, as Maven Central would, and a little more strictly. It needs only the JDK: {@code java
 * CheckRepository.java FOLDER VERSION}. It exits with 1 if something in the folder is wrong, and with 2 for bad arguments.
 */
final class CheckRepository {

    private static final String GROUP = "dev/holdfast";
    private static final Map<String, String> CHECKSUMS = Map.of("md5", "MD5", "sha1", "SHA-1");
    private static final List<String> BESIDE_A_JAR =
            List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-cyclonedx.xml");
    private static final List<String> REQUIRED = List.of(
            "groupId",
            "artifactId",
            "version",
            "name",
            "description",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "scm/connection",
            "scm/url");

    private final Path group;
    private final String version;
    private final List<String> complaints = new ArrayList<>();

    CheckRepository(Path repository, String version) {
        this.group = repository.resolve(GROUP);
        this.version = version;
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 2 || !Files.isDirectory(Path.of(args[0])) || args[1].endsWith("-SNAPSHOT")) {
            System.err.println(
                    "usage: java CheckRepository.java FOLDER VERSION (a folder that is there, and no SNAPSHOT)");
            System.exit(2);
        }
        CheckRepository repository = new CheckRepository(Path.of(args[0]), args[1]);
        List<String> complaints = repository.check();
        complaints.forEach(System.out::println);
        System.out.println(repository.artifacts() + " in " + args[1]
                + (repository.isSigned() ? ", signed" : ", not signed") + "; complaints: " + complaints.size());
        System.exit(complaints.isEmpty() ? 0 : 1);
    }

    /** Returns one line for each thing that is wrong. */
    List<String> check() throws Exception {
        Set<String> artifacts = artifacts();
        Set<String> wanted = new TreeSet<>(
                texts(pom("holdfast-bom"), "/project/dependencyManagement/dependencies/dependency/artifactId"));
        wanted.add("holdfast-bom");
        wanted.stream().filter(name -> !artifacts.contains(name)).forEach(name -> complain(name, "is in the BOM only"));
        artifacts.stream().filter(name -> !wanted.contains(name)).forEach(name -> complain(name, "is not in the BOM"));
        for (String artifact : artifacts) {
            Document pom = pom(artifact);
            checkPom(artifact, pom, artifacts);
            checkFiles(artifact, text(pom, "/project/packaging").equals("pom") ? List.of() : BESIDE_A_JAR);
        }
        return complaints;
    }

    private void complain(String artifact, String what) {
        complaints.add(artifact + " " + what);
    }

    private Set<String> artifacts() throws IOException {
        try (Stream<Path> folders = Files.list(group)) {
            return folders.filter(Files::isDirectory)
                    .map(folder -> folder.getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private Path file(String artifact, String kind) {
        return group.resolve(artifact).resolve(version).resolve(artifact + "-" + version + kind);
    }

    // ---- the POM

    private void checkPom(String artifact, Document pom, Set<String> artifacts) throws Exception {
        for (String element : REQUIRED) {
            if (text(pom, "/project/" + element).isBlank()) {
                complain(artifact, "has no " + element + " in its POM");
            }
        }
        if (!text(pom, "/project/version").equals(version)) {
            complain(artifact, "is " + text(pom, "/project/version") + " by its POM");
        }
        for (String forbidden : List.of("parent", "modules", "repositories", "dependencies/dependency[scope='test']")) {
            if (!texts(pom, "/project/" + forbidden).isEmpty()) {
                complain(artifact, "has " + forbidden + " in its POM");
            }
        }
        for (String dependency : texts(pom, "/project/dependencies/dependency[groupId='dev.holdfast']/artifactId")) {
            if (!artifacts.contains(dependency)) {
                complain(artifact, "needs " + dependency + ", which is not here");
            }
        }
        int dependencies = texts(pom, "/project/dependencies/dependency").size();
        List<String> versions = texts(pom, "/project/dependencies/dependency/version");
        if (versions.size() < dependencies || versions.stream().anyMatch(number -> number.contains("${"))) {
            complain(artifact, "has dependencies without a version in its POM");
        }
        if (versions.stream().anyMatch(number -> number.endsWith("-SNAPSHOT"))) {
            complain(artifact, "needs a SNAPSHOT");
        }
    }

    private Document pom(String artifact) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file(artifact, ".pom").toFile());
    }

    private static String text(Document pom, String path) throws Exception {
        return texts(pom, path).stream().findFirst().orElse("");
    }

    private static List<String> texts(Document pom, String path) throws Exception {
        NodeList found = (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, pom, XPathConstants.NODESET);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            texts.add(found.item(i).getTextContent().strip());
        }
        return texts;
    }

    // ---- the files

    private void checkFiles(String artifact, List<String> besideThePom) throws Exception {
        Set<Path> expected = new TreeSet<>(Set.of(file(artifact, ".pom")));
        besideThePom.forEach(kind -> expected.add(file(artifact, kind)));
        for (Path file : expected) {
            if (!Files.isRegularFile(file)) {
                complain(artifact, "has no " + file.getFileName());
                continue;
            }
            checkBeside(artifact, file);
            if (file.toString().endsWith(".jar")) {
                checkJar(artifact, file);
            }
        }
        try (Stream<Path> files = Files.list(group.resolve(artifact).resolve(version))) {
            files.filter(file ->
                            expected.stream().noneMatch(known -> file.toString().startsWith(known.toString())))
                    .forEach(file -> complain(artifact, "has " + file.getFileName() + ", which nobody expects"));
        }
    }

    private void checkBeside(String artifact, Path file) throws IOException, NoSuchAlgorithmException {
        for (Map.Entry<String, String> checksum : CHECKSUMS.entrySet()) {
            Path written = Path.of(file + "." + checksum.getKey());
            MessageDigest digest = MessageDigest.getInstance(checksum.getValue());
            String counted = HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
            if (!Files.exists(written) || !Files.readString(written).strip().equals(counted)) {
                complain(artifact, "has no " + written.getFileName() + " that fits");
            }
        }
        if (isSigned() && !Files.exists(Path.of(file + ".asc"))) {
            complain(artifact, "has no signature for " + file.getFileName());
        }
    }

    /** Returns whether any file is signed; if one is, all must be. */
    private boolean isSigned() throws IOException {
        try (Stream<Path> files = Files.walk(group)) {
            return files.anyMatch(file -> file.toString().endsWith(".asc"));
        }
    }

    private void checkJar(String artifact, Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            boolean main = file.equals(file(artifact, ".jar"));
            if (main && jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name") == null) {
                complain(artifact, "names no module");
            }
            if (jar.stream()
                    .allMatch(entry -> entry.isDirectory() || entry.getName().endsWith("MANIFEST.MF"))) {
                complain(artifact, "has nothing in " + file.getFileName());
            }
        }
    }
}
