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
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The JVM's arguments with which tests start the command line. As the launcher script does, it archives the classes that most commands load, which saves
 * about 0.4 s of processor time a start. An archive needs a class path of jars, so folders of classes become jars first.
 *
 * <p>All processes of a build share one archive.
 */
final class Launcher {

    private static final Path FOLDER = Path.of("target/launcher").toAbsolutePath();
    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    /** The complete command without the arguments of the command line. */
    static final List<String> COMMAND = command();

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
        String jars = jars(folder);
        Path archive = folder.resolve("classes.jsa");
        if (!Files.exists(archive)) {
            archive(jars, archive);
        }
        List<String> command = new ArrayList<>(java(jars));
        command.add(1, "-XX:SharedArchiveFile=" + archive);
        command.add(1, "-Xshare:auto");
        command.add(Main.class.getName());
        return List.copyOf(command);
    }

    private static List<String> java(String classPath) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                classPath);
    }

    private static String jars(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<Path> jars = new ArrayList<>();
        for (Path entry : entries()) {
            if (Files.isDirectory(entry)) {
                Path jar = folder.resolve(jars.size() + ".jar");
                if (!Files.exists(jar)) {
                    jar(entry, jar);
                }
                jars.add(jar);
            } else {
                jars.add(entry);
            }
        }
        return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static void jar(Path classes, Path jar) throws IOException {
        Path unfinished = Path.of(jar + ".tmp");
        int exit = ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "--create",
                        "--file",
                        unfinished.toString(),
                        "-C",
                        classes.toString(),
                        ".");
        if (exit != 0) {
            throw new IOException("jar --create --file " + unfinished + " -C " + classes + " ended with " + exit);
        }
        Files.move(unfinished, jar, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void archive(String jars, Path archive) throws IOException, InterruptedException {
        Path unfinished = Path.of(archive + ".tmp");
        Path log = archive.resolveSibling("archive.log");
        List<String> command = new ArrayList<>(java(jars));
        command.add(1, "-XX:ArchiveClassesAtExit=" + unfinished);
        command.add(WarmUp.class.getName());
        int exit = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        if (exit != 0 || !Files.exists(unfinished)) {
            throw new FileSystemException(
                    archive.toString(),
                    null,
                    "the JVM archived no classes, exit " + exit + ": " + Files.readString(log));
        }
        Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
    }
}
