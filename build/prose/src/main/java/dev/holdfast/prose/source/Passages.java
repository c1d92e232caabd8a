package dev.holdfast.prose.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The passages of all files below a folder that people read: documentation, sources, scripts, pages and the description of the API. */
public final class Passages {

    private static final Set<String> NOT_OURS =
            Set.of("target", "node_modules", ".git", ".mvn", "LICENSE", "mvnw", "mvnw.cmd", "package-lock.json");

    private static final String TESTS =
            Path.of("src", "test") + FileSystems.getDefault().getSeparator();

    private Passages() {}

    /**
     * Reads a file, or all files below a folder. Skips build output, other people's files and folders of tests. If the given folder is itself a
     * folder of tests, reads only the Javadoc and the comments of its Java sources: a test may quote bad sentences.
     *
     * @throws UncheckedIOException if a file cannot be read
     */
    public static List<Passage> below(Path root) {
        TreeSet<Path> files = new TreeSet<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    boolean isTest = folder.endsWith(Path.of("src", "test")) && !folder.equals(root);
                    return isTest || NOT_OURS.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (!NOT_OURS.contains(file.getFileName().toString())) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
            List<Passage> passages = new ArrayList<>();
            for (Path file : files) {
                Reader reader = reader(file.getFileName().toString());
                boolean isTest = file.toString().contains(TESTS);
                if (reader != null && (!isTest || reader instanceof JavaReader)) {
                    reader.read(file, Files.readString(file)).stream()
                            .filter(passage -> !isTest || passage.kind() != Passage.Kind.MESSAGE)
                            .map(passage -> isTest ? ofTest(passage) : passage)
                            .forEach(passages::add);
                }
            }
            return passages;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the passage of a test as a comment if it describes a method: such a description states the case instead of an action. */
    private static Passage ofTest(Passage passage) {
        return passage.kind() == Passage.Kind.METHOD
                ? new Passage(passage.file(), passage.line(), Passage.Kind.COMMENT, passage.text())
                : passage;
    }

    private static @Nullable Reader reader(String name) {
        if (name.equals("openapi.json")) {
            return new OpenApiReader();
        }
        String ending = name.substring(name.lastIndexOf('.') + 1);
        return switch (ending) {
            case "md" -> new MarkdownReader();
            case "java" -> new JavaReader();
            case "kt" -> Comments.ofKotlin();
            case "js", "mjs" -> Comments.ofJavaScript();
            case "lua" -> Comments.ofLua();
            case "html" -> new HtmlReader();
            case "yaml", "yml", "properties", "Makefile", "sh" -> Comments.withHashes();
            default -> null;
        };
    }
}
