package dev.holdfast.redis.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options with which a server starts. An immutable value: each method returns a changed copy.
 *
 * <p>The defaults: the binary that {@link RedisBinary#find} finds, the loopback only, a free port, nothing written to
 * disk, no password, a temporary directory, ready within 20 s, declared clean at the first start.
 */
public final class RedisOptions {

    private static final RedisOptions DEFAULTS = new RedisOptions();

    private @Nullable RedisBinary binary;
    private int port;
    private boolean appendOnly;
    private boolean unixSocket;
    private boolean declareClean = true;
    private boolean steppableClock;
    private @Nullable NetworkNamespace network;
    private Duration startWithin = Duration.ofSeconds(20);
    private List<String> config = List.of();
    private Map<String, String> environment = Map.of();
    private @Nullable String password;
    private @Nullable Login administrator;
    private @Nullable TlsFiles tls;
    private @Nullable Path directory;
    private @Nullable Path logFile;

    private RedisOptions() {}

    /** Returns the defaults, which the other methods change. */
    public static RedisOptions defaults() {
        return DEFAULTS;
    }

    /** Sets the server executable, instead of the one that {@link RedisBinary#find} finds. */
    public RedisOptions binary(RedisBinary chosen) {
        return with(copy -> copy.binary = chosen);
    }

    /**
     * Sets a fixed port, which must be free; 0, the default, chooses any free port. In a set, node i gets this port +
     * i.
     */
    public RedisOptions port(int fixed) {
        return with(copy -> copy.port = fixed);
    }

    /**
     * Sets whether the server has an append-only file, so that {@link RedisProcess#restart} keeps the data. Off by
     * default.
     *
     * <p>A {@link RedisProcess#kill} may lose the last two seconds, since Redis's default {@code appendfsync everysec}
     * waits for a busy disk before it writes. With {@code config("appendfsync always")}, no answered write is lost.
     */
    public RedisOptions appendOnly(boolean on) {
        return with(copy -> copy.appendOnly = on);
    }

    /** Sets whether the server also listens on a Unix socket; see {@link RedisProcess#socket}. Off by default. */
    public RedisOptions unixSocket(boolean on) {
        return with(copy -> copy.unixSocket = on);
    }

    /**
     * Sets whether the server is declared clean (PROTOCOL §5) at its first start, so that clients don't quarantine it.
     * On by default. A server whose directory holds data from an earlier start is never declared clean.
     */
    public RedisOptions declareClean(boolean on) {
        return with(copy -> copy.declareClean = on);
    }

    /** Sets how long a start may take before it fails. */
    public RedisOptions startWithin(Duration deadline) {
        return with(copy -> copy.startWithin = deadline);
    }

    /** Adds lines to {@code redis.conf}, after those of the test kit, so they win: {@code maxmemory 2mb}. */
    public RedisOptions config(String... lines) {
        List<String> all = new ArrayList<>(config);
        all.addAll(List.of(lines));
        return with(copy -> copy.config = List.copyOf(all));
    }

    /** Sets a variable of the server's environment, such as {@code LD_PRELOAD} for a clock that steps. */
    public RedisOptions environment(String name, String value) {
        Map<String, String> all = new HashMap<>(environment);
        all.put(name, value);
        return with(copy -> copy.environment = Map.copyOf(all));
    }

    /**
     * Sets whether the server's clock can be stepped; see {@link RedisProcess#stepClock}. Off by default. If it
     * is on and no binary was chosen, the server is the first binary that is linked dynamically. The start fails if
     * {@link ClockShim#unavailable} gives a reason.
     */
    public RedisOptions steppableClock(boolean on) {
        return with(copy -> copy.steppableClock = on);
    }

    /**
     * Sets a network of the server's own, in which it listens at {@link NetworkNamespace#address} instead of the
     * loopback.
     */
    public RedisOptions network(NetworkNamespace own) {
        return with(copy -> copy.network = own);
    }

    /** Sets the password of the {@code default} user ({@code requirepass}). */
    public RedisOptions password(String secret) {
        return with(copy -> copy.password = secret);
    }

    /**
     * Adds an ACL user, written as in {@code redis.conf} without the word user: {@code alice on >secret ~lock:* +@all}.
     */
    public RedisOptions user(String rule) {
        return config("user " + rule);
    }

    /**
     * Sets the user as which the test kit itself logs in if the {@code default} user lacks rights. This user must have
     * all rights.
     */
    public RedisOptions administrator(String user, String secret) {
        return with(copy -> copy.administrator = new Login(user, secret));
    }

    /**
     * Enables TLS on a port of its own; see {@link RedisProcess#tlsUri}. The plain port stays open for the test kit.
     */
    public RedisOptions tls(TlsFiles files) {
        return with(copy -> copy.tls = files);
    }

    /**
     * Sets a directory, which is kept with its contents. By default, the server has a temporary directory that is
     * deleted at the end. In a set, node i gets {@code node-i} in it.
     */
    public RedisOptions directory(Path kept) {
        return with(copy -> copy.directory = kept);
    }

    /**
     * Sets the file of the server's log; by default the log is in its directory. In a set, node i gets {@code node-i-}
     * before the file's name.
     */
    public RedisOptions logFile(Path file) {
        return with(copy -> copy.logFile = file);
    }

    /** Returns the options of one node of a set. */
    public RedisOptions forNode(int index) {
        String name = "node-" + index;
        Path file = logFile;
        return with(copy -> {
            copy.port = port == 0 ? 0 : port + index;
            copy.directory = directory == null ? null : directory.resolve(name);
            copy.logFile = file == null ? null : file.resolveSibling(name + "-" + file.getFileName());
        });
    }

    RedisBinary binary() {
        if (binary != null) {
            return binary;
        }
        return steppableClock ? RedisBinary.findDynamic().orElseGet(RedisBinary::find) : RedisBinary.find();
    }

    int port() {
        return port;
    }

    boolean appendOnly() {
        return appendOnly;
    }

    boolean unixSocket() {
        return unixSocket;
    }

    boolean declareClean() {
        return declareClean;
    }

    Duration startWithin() {
        return startWithin;
    }

    boolean steppableClock() {
        return steppableClock;
    }

    @Nullable
    NetworkNamespace network() {
        return network;
    }

    List<String> config() {
        return config;
    }

    Map<String, String> environment() {
        return environment;
    }

    @Nullable
    String password() {
        return password;
    }

    @Nullable
    TlsFiles tls() {
        return tls;
    }

    @Nullable
    Path directory() {
        return directory;
    }

    @Nullable
    Path logFile() {
        return logFile;
    }

    @Nullable
    Login login() {
        if (administrator != null) {
            return administrator;
        }
        return password == null ? null : new Login(null, password);
    }

    private RedisOptions with(Consumer<RedisOptions> change) {
        RedisOptions copy = new RedisOptions();
        copy.binary = binary;
        copy.port = port;
        copy.appendOnly = appendOnly;
        copy.unixSocket = unixSocket;
        copy.declareClean = declareClean;
        copy.steppableClock = steppableClock;
        copy.network = network;
        copy.startWithin = startWithin;
        copy.config = config;
        copy.environment = environment;
        copy.password = password;
        copy.administrator = administrator;
        copy.tls = tls;
        copy.directory = directory;
        copy.logFile = logFile;
        change.accept(copy);
        return copy;
    }
}
