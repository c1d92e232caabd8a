package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The static Redis in the jar {@code org.signal:embedded-redis}, extracted to a file that can be run.
 *
 * <p>Each JVM compares the file with the jar before its first use and replaces a file that is incomplete, outdated or
 * altered. It writes the new file under another name and moves it into place. Several JVMs can therefore do so at once,
 * and none runs an incomplete file.
 */
final class CarriedRedis {

    private static final String NAME = "redis-server-7.0.15-";
    private static @Nullable Path ready;

    private CarriedRedis() {}

    static synchronized Path executable(Map<String, String> environment) {
        Path known = ready;
        if (known == null || !Files.isExecutable(known)) {
            known = in(directory(environment), resource(System.getProperty("os.name"), System.getProperty("os.arch")));
            ready = known;
        }
        return known;
    }

    /**
     * Returns the name of the executable in the jar.
     *
     * @throws RedisStartException if the jar has none for such a machine
     */
    static String resource(String os, String architecture) {
        String system = os.toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : os.toLowerCase(Locale.ROOT);
        String name = NAME + system + "-" + processor(architecture);
        if (CarriedRedis.class.getResource("/" + name) == null) {
            throw new RedisStartException(
                    "no Redis server found: " + RedisBinary.VARIABLE + " is not set, the PATH has neither"
                            + " valkey-server nor redis-server, and the class path has no org.signal:embedded-redis with one for "
                            + os + " on " + architecture);
        }
        return name;
    }

    private static String processor(String architecture) {
        return switch (architecture) {
            case "x86_64", "amd64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            default -> architecture;
        };
    }

    /** Returns the executable in this directory, and writes or repairs it first if necessary. */
    static Path in(Path directory, String resource) {
        Path file = directory.resolve(resource);
        try (InputStream in = CarriedRedis.class.getResourceAsStream("/" + resource)) {
            if (in == null) {
                throw new RedisStartException("the class path has no " + resource);
            }
            byte[] content = in.readAllBytes();
            if (!isSame(file, content)) {
                write(file, content);
            }
            return file;
        } catch (IOException e) {
            throw new RedisStartException("can't put the bundled Redis server at " + file, e);
        }
    }

    private static boolean isSame(Path file, byte[] content) throws IOException {
        return Files.isExecutable(file)
                && Files.size(file) == content.length
                && MessageDigest.isEqual(sha256(Files.readAllBytes(file)), sha256(content));
    }

    private static void write(Path file, byte[] content) throws IOException {
        Path directory = Files.createDirectories(file.toAbsolutePath().getParent());
        Path fresh = Files.createTempFile(directory, "fresh-", ".tmp");
        try {
            Files.write(fresh, content);
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /**
     * Returns {@code $XDG_CACHE_HOME/holdfast} or {@code ~/.cache/holdfast}, or a directory of this JVM's own if that
     * can't be written.
     */
    static Path directory(Map<String, String> environment) {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base = Path.of(cache).isAbsolute() ? Path.of(cache) : Path.of(System.getProperty("user.home"), ".cache");
        try {
            Path directory = Files.createDirectories(base.resolve("holdfast"));
            if (Files.isWritable(directory)) {
                return directory;
            }
        } catch (IOException e) {
            // There is no home, or it is read-only. A fixed directory in /tmp is unsafe for a program: another user
            // could have created it.
        }
        return privateDirectory();
    }

    private static Path privateDirectory() {
        try {
            Path directory = Files.createTempDirectory("holdfast-redis-server-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> FileTree.delete(directory)));
            return directory;
        } catch (IOException e) {
            throw new RedisStartException("no directory to put the bundled Redis server in", e);
        }
    }

    private static byte[] sha256(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has SHA-256
        }
    }
}
