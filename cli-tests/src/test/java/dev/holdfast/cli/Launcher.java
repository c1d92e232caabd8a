package dev.holdfast.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The JVM's arguments with which tests start the command line. As the launcher script does, it archives the classes that most commands load, which saves
 * about 0.4 s of processor time a start. An archive needs a class path of jars, so folders of classes become jars first.
 *
 * <p>All processes of a build share the archives.
 */
public final class Launcher {

    private static final Path FOLDER = Path.of("target/launcher").toAbsolutePath();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    /** The complete command without the arguments of the command line. */
    public static final List<String> COMMAND = command();

    private Launcher() {}

    private static List<String> command() {
        try {
            Files.createDirectories(FOLDER);
            try (FileChannel channel = FileChannel.open(
                            FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock onlyOneBuilds = channel.lock()) {
                return build(FOLDER.resolve(stamp()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a name that changes with the Java version, the class path and each class in its folders. */
    private static String stamp() throws IOException {
        StringBuilder seen = new StringBuilder(System.getProperty("java.vm.version"));
        for (Path entry : entries()) {
            seen.append(entry).append(newest(entry));
        }
        return Integer.toHexString(seen.toString().hashCode());
    }

    private static long newest(Path entry) throws IOException {
        try (Stream<Path> files = Files.walk(entry)) {
            return files.mapToLong(file -> file.toFile().lastModified()).max().orElse(0);
        }
    }

    /** Returns the class path without the tests' own classes, which no command needs. */
    private static List<Path> entries() {
        return Stream.of(CLASS_PATH.split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> Files.exists(entry) && !entry.endsWith("test-classes"))
                .toList();
    }

    private static List<String> build(Path folder) throws IOException, InterruptedException {
        Path log = folder.resolve("archives.log");
        if (!Files.exists(log)) {
            collectJars(folder);
            archive(folder, log);
        }
        return List.of(
                JAVA,
                "-XX:SharedArchiveFile=" + archives(folder),
                "-Xshare:auto",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                folder.resolve("*").toString(),
                Main.class.getName());
    }

    private static String archives(Path folder) {
        return Stream.of("classes.jsa", "lambdas.jsa")
                .map(folder::resolve)
                .filter(Files::exists) // the second one only before Java 24
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void collectJars(Path folder) throws IOException {
        Files.createDirectories(folder);
        int count = 0;
        for (Path entry : entries()) {
            Path jar = folder.resolve(count++ + ".jar");
            Files.deleteIfExists(jar);
            if (Files.isDirectory(entry)) {
                jar(entry, jar);
            } else {
                Files.createSymbolicLink(jar, entry.toAbsolutePath());
            }
        }
    }

    private static void jar(Path classes, Path jar) throws IOException {
        int exit = ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(System.out, System.err, "--create", "--file", jar.toString(), "-C", classes.toString(), ".");
        if (exit != 0) {
            throw new IOException("jar --create --file " + jar + " -C " + classes + " ended with " + exit);
        }
    }

    private static void archive(Path folder, Path log) throws IOException, InterruptedException {
        Path unfinished = Path.of(log + ".tmp");
        int exit = new ProcessBuilder(
                        Path.of("../cli/archive-classes").toAbsolutePath().toString(), JAVA, folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(unfinished.toFile())
                .start()
                .waitFor();
        if (exit != 0) {
            throw new FileSystemException(
                    folder.toString(),
                    null,
                    "the JVM archived no classes, exit " + exit + ": " + Files.readString(unfinished));
        }
        Files.move(unfinished, log, StandardCopyOption.ATOMIC_MOVE);
    }
}
