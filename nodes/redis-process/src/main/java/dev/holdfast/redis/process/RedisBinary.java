package dev.holdfast.redis.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server executable on this machine, Redis or Valkey.
 *
 * @param path the executable
 */
public record RedisBinary(Path path) {

    /** The environment variable that names the executable to use. It has precedence over every other choice. */
    public static final String VARIABLE = "HOLDFAST_REDIS_SERVER";

    private static final List<String> NAMES = List.of("valkey-server", "redis-server");
    private static final Pattern VERSION = Pattern.compile("^(?:(\\w+) server|Server) v=(\\S+)");
    private static final Map<Path, String> VERSIONS = new ConcurrentHashMap<>();

    /**
     * Returns the server to use: the one that {@value #VARIABLE} names, else {@code valkey-server} or
     * {@code redis-server} on the {@code PATH}. Failing both, it is the static Redis in the jar
     * {@code org.signal:embedded-redis}, extracted once into the user's cache directory.
     *
     * @throws RedisStartException if the variable names no executable file, or if there is no server at all
     */
    public static RedisBinary find() {
        return find(System.getenv());
    }

    static RedisBinary find(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        if (!named.isEmpty()) {
            return named(named);
        }
        return onPath(environment.getOrDefault("PATH", ""))
                .findFirst()
                .orElseGet(() -> new RedisBinary(CarriedRedis.executable(environment)));
    }

    /**
     * Finds a server as {@link #find} does, but one that is linked dynamically, so that a library can be preloaded;
     * empty if there is none.
     */
    static Optional<RedisBinary> findDynamic() {
        return findDynamic(System.getenv());
    }

    static Optional<RedisBinary> findDynamic(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        Stream<RedisBinary> first = named.isEmpty() ? Stream.empty() : Stream.of(named(named));
        return Stream.concat(first, onPath(environment.getOrDefault("PATH", "")))
                .filter(RedisBinary::isDynamic)
                .findFirst();
    }

    /** Returns whether a library can be preloaded into the server. */
    boolean isDynamic() {
        return ElfHeader.isDynamic(path);
    }

    private static RedisBinary named(String named) {
        Path path = Path.of(named).toAbsolutePath();
        if (!isExecutable(path)) {
            throw new RedisStartException(VARIABLE + "=" + named + " is not an executable file;"
                    + " set it to the full path of a redis-server or valkey-server, or unset it");
        }
        return new RedisBinary(path);
    }

    private static Stream<RedisBinary> onPath(String path) {
        return NAMES.stream()
                .flatMap(name -> Arrays.stream(path.split(File.pathSeparator, -1))
                        .filter(directory -> !directory.isEmpty())
                        .map(directory -> Path.of(directory, name).toAbsolutePath()))
                .filter(RedisBinary::isExecutable)
                .map(RedisBinary::new);
    }

    private static boolean isExecutable(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }

    /**
     * Returns the product and version, such as {@code Redis 7.0.15} or {@code Valkey 8.1.4}, as the server states it.
     *
     * @throws RedisStartException if it can't be run, or is another program
     */
    public String version() {
        return VERSIONS.computeIfAbsent(path, RedisBinary::askVersion);
    }

    private static String askVersion(Path path) {
        try {
            Process process = new ProcessBuilder(path.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher matcher = VERSION.matcher(answer);
            if (matcher.find()) {
                String product =
                        matcher.group(1) == null ? "Valkey" : matcher.group(1); // Valkey 7.2 does not name itself
                return product + " " + matcher.group(2);
            }
            throw new RedisStartException(path + " --version does not answer like a Redis server: " + answer.strip());
        } catch (IOException e) {
            throw new RedisStartException(path + " can't be run: " + e.getMessage(), e);
        }
    }
}
