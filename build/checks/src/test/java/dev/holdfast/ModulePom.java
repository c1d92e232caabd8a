package dev.holdfast;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** One module's {@code pom.xml} as it is written, read by XPath; nothing is inherited. */
record ModulePom(String folder, Document document) {

    private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();

    /** The modules of the root POM, in its order. */
    static List<ModulePom> all() {
        return read(PROJECT, "the root").texts("/project/modules/module").stream()
                .map(module -> read(PROJECT.resolve(module), module))
                .toList();
    }

    static List<ModulePom> published() {
        return all().stream().filter(ModulePom::isPublished).toList();
    }

    private static ModulePom read(Path directory, String folder) {
        try {
            DocumentBuilderFactory xml = DocumentBuilderFactory.newInstance();
            return new ModulePom(
                    folder,
                    xml.newDocumentBuilder().parse(directory.resolve("pom.xml").toFile()));
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("no readable pom.xml in " + directory, e);
        }
    }

    /** Maven publishes a module unless the POM of the module skips its deployment. */
    boolean isPublished() {
        return !text("/project/properties/maven.deploy.skip").equals("true");
    }

    String artifact() {
        return text("/project/artifactId");
    }

    boolean hasJar() {
        return !text("/project/packaging").equals("pom");
    }

    /** Returns the dependencies that an application gets with this module: all except those for tests and optional ones. */
    List<String> dependencies() {
        return texts("/project/dependencies/dependency[not(scope='test') and not(optional='true')]/artifactId");
    }

    String text(String path) {
        List<String> found = texts(path);
        return found.isEmpty() ? "" : found.get(0);
    }

    List<String> texts(String path) {
        try {
            NodeList found =
                    (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < found.getLength(); i++) {
                texts.add(found.item(i).getTextContent().strip());
            }
            return texts;
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    /** Returns where this test's class path has the module: a jar, or a folder of classes if Maven has not packaged the module. */
    Path onTheClassPath() {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry).toAbsolutePath().normalize();
            if (path.startsWith(PROJECT.resolve(folder)) && Files.exists(path)) {
                return path;
            }
        }
        throw new AssertionError(
                artifact() + " is published, but not looked at: name it in build/checks/pom.xml with scope"
                        + " test, and in HouseModule if it has code; or set maven.deploy.skip in " + folder
                        + "/pom.xml if nobody outside is to use it");
    }

    @Override
    public String toString() {
        return folder;
    }
}
