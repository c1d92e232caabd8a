package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A C library that is preloaded into a server, and steps its wall clock or delays its disk while it runs. The offset and
 * the delay are in a file that this JVM and the server both map.
 *
 * <p>The library is compiled at its first use. It needs Linux, a C compiler and a dynamically linked server, such as a
 * JVM; the static Redis server that comes with the build can't use it.
 *
 * @see RedisOptions#steppableClock
 * @see RedisProcess#stepClock
 */
public final class ClockShim {

    private static final String SOURCE = "clock-shim.c";
    private static final String LIBRARY = "clock-shim.so";
    private static final String FILE = "clock";
    private static final String VARIABLE = "HOLDFAST_CLOCK_FILE";
    private static final int SIZE = 3 * Long.BYTES;

    private static byte @Nullable [] compiled;
    private static @Nullable String problem;

    private ClockShim() {}

    /** Returns the reason why this machine can't start a server whose clock can be stepped; empty if it can. */
    public static Optional<String> unavailable() {
        return RedisBinary.findDynamic().isEmpty()
                ? Optional.of("no dynamically linked redis-server or valkey-server was found (" + RedisBinary.VARIABLE
                        + " names none, and the PATH has none); the static one can't be preloaded")
                : problem();
    }

    /** Returns the reason why this server can't be started with a clock that can be stepped; empty if it can. */
    static Optional<String> unavailable(RedisBinary binary) {
        return binary.isDynamic()
                ? problem()
                : Optional.of(binary.path() + " is linked statically, and can't be preloaded");
    }

    /** Returns the reason why this machine can't compile the library; empty if every dynamically linked program can use it. */
    public static synchronized Optional<String> problem() {
        if (compiled == null && problem == null) {
            try {
                compiled = compile();
            } catch (IOException | RedisStartException e) {
                problem = String.valueOf(e.getMessage());
            }
        }
        return Optional.ofNullable(problem);
    }

    private static byte[] compile() throws IOException {
        if (!System.getProperty("os.name").equals("Linux")) {
            throw new RedisStartException("stepping the clock of a server needs Linux");
        }
        Program compiler = Program.find("cc", "gcc", "clang")
                .orElseThrow(() -> new RedisStartException("the PATH has no C compiler: neither cc nor gcc nor clang"));
        Path directory = Files.createTempDirectory("holdfast-clock-shim-");
        try {
            return compiledBy(compiler, directory);
        } finally {
            FileTree.delete(directory);
        }
    }

    private static byte[] compiledBy(Program compiler, Path directory) throws IOException {
        Path source = directory.resolve(SOURCE);
        Path library = directory.resolve(LIBRARY);
        try (InputStream in = ClockShim.class.getResourceAsStream(SOURCE)) {
            if (in == null) {
                throw new RedisStartException("the class path has no " + SOURCE);
            }
            Files.copy(in, source);
        }
        Program.Said said =
                compiler.run("-O1", "-shared", "-fPIC", "-fno-builtin", "-o", library.toString(), source.toString());
        if (!said.isGood()) {
            throw new RedisStartException(compiler.path() + " does not compile the clock shim: " + said.text());
        }
        return Files.readAllBytes(library);
    }

    /**
     * Puts the library and the offset into a server's directory unless they are there, and returns the variables that
     * the server's environment needs.
     */
    static Map<String, String> install(RedisBinary binary, Path directory) {
        unavailable(binary).ifPresent(why -> {
            throw new RedisStartException("no server with a clock that can be stepped: " + why);
        });
        return install(directory);
    }

    /**
     * Puts the library and the offset into the directory of any dynamically linked server unless they are there, and
     * returns the variables that the server's environment needs.
     */
    public static Map<String, String> install(Path directory) {
        problem().ifPresent(why -> {
            throw new RedisStartException("no server with a clock that can be stepped: " + why);
        });
        Path library = directory.resolve(LIBRARY);
        Path file = directory.resolve(FILE);
        try {
            Files.write(library, library());
            if (!Files.exists(file)) {
                Files.write(file, new byte[SIZE]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.of("LD_PRELOAD", library.toString(), VARIABLE, file.toString());
    }

    private static synchronized byte[] library() {
        if (compiled == null) {
            throw new IllegalStateException("not compiled: " + problem);
        }
        return compiled;
    }

    /** Returns whether a server in this directory has loaded the library. */
    public static boolean isLoaded(Path directory) {
        return onMapped(directory, mapped -> mapped.getLong(Long.BYTES) != 0);
    }

    /** Adds to the offset of the server in this directory, whether it runs or not. */
    public static void step(Path directory, Duration step) {
        onMapped(directory, mapped -> mapped.putLong(0, Math.addExact(mapped.getLong(0), step.toNanos())));
    }

    /** Makes each flush of a file to disk take this much longer, for the server in this directory, whether it runs or not. */
    public static void delayFlushes(Path directory, Duration delay) {
        onMapped(directory, mapped -> mapped.putLong(2 * Long.BYTES, delay.toNanos()));
    }

    /**
     * Returns how far the clock of the server in this directory is ahead of this machine's clock; negative if it is
     * behind.
     */
    static Duration offset(Path directory) {
        return onMapped(directory, mapped -> Duration.ofNanos(mapped.getLong(0)));
    }

    private interface Use<T> {
        T of(ByteBuffer mapped);
    }

    private static synchronized <T> T onMapped(Path directory, Use<T> use) {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            throw new IllegalStateException("the server in " + directory
                    + " was started without a clock that can be stepped; see RedisOptions.steppableClock");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return use.of(channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE).order(ByteOrder.nativeOrder()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
