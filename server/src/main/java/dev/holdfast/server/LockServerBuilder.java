package dev.holdfast.server;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link LockServer}. Every wrong one is refused; none is corrected in silence. Not thread-safe. */
public final class LockServerBuilder {

    private static final int LARGEST_PORT = 65_535;

    private String host = "127.0.0.1";
    private int port = LockServer.DEFAULT_PORT;
    private @Nullable HoldfastBuilder client;
    private boolean onItself = true;
    private @Nullable Path data;
    private List<AccessToken> tokens = List.of();
    private boolean insecure;
    private Limits limits = Limits.defaults();
    private Duration idleTimeout = Duration.ofSeconds(30);

    LockServerBuilder() {}

    /** The address it listens on, {@code 127.0.0.1} unless set. */
    public LockServerBuilder host(String host) {
        this.host = Objects.requireNonNull(host, "host");
        return this;
    }

    /**
     * The port it listens on, {@value LockServer#DEFAULT_PORT} unless set.
     *
     * @param port 1 to 65535, or 0 for one that is free
     */
    public LockServerBuilder port(int port) {
        if (port < 0 || port > LARGEST_PORT) {
            throw new IllegalArgumentException("port is " + port + ", but must be from 0 to " + LARGEST_PORT);
        }
        this.port = port;
        return this;
    }

    /**
     * The nodes that it locks on, its embedded one unless set. Other servers may be such, {@code holdfast://host:7420}, and this one itself among
     * them: five servers that have all five as nodes are one majority.
     *
     * @param uris as {@link HoldfastBuilder#nodes(List)} takes them
     */
    public LockServerBuilder nodes(List<String> uris) {
        return client(Holdfast.builder().nodes(uris));
    }

    /** As {@link #nodes(List)}. */
    public LockServerBuilder nodes(String... uris) {
        return nodes(List.of(uris));
    }

    /** The client through which it locks, with its nodes and how they are reached; the server gives it its own clocks, and closes it. */
    public LockServerBuilder client(HoldfastBuilder client) {
        this.client = Objects.requireNonNull(client, "client");
        this.onItself = false;
        return this;
    }

    /** A client to which its embedded node is added, and which has no others; the server gives it its own clocks, and closes it. */
    public LockServerBuilder clientOfItself(HoldfastBuilder client) {
        this.client = Objects.requireNonNull(client, "client");
        this.onItself = true;
        return this;
    }

    /**
     * A folder in which the embedded node writes down until when votes last that it has given, how high its fences are, and what is sealed; unless set it
     * forgets all of that when it ends. After a restart it does not vote until the votes of the run before have ended (PROTOCOL §5). Made if it is
     * not there; used by one server at a time.
     */
    public LockServerBuilder data(Path folder) {
        this.data = Objects.requireNonNull(folder, "folder");
        return this;
    }

    /**
     * Who may use it; without tokens, which is so unless set, everybody on this machine.
     *
     * @param tokens of different names and secrets
     */
    public LockServerBuilder tokens(List<AccessToken> tokens) {
        for (AccessToken one : tokens) {
            for (AccessToken other : tokens) {
                if (one != other && (one.name().equals(other.name()) || one.hasSecretOf(other))) {
                    throw new IllegalArgumentException("the tokens '" + one.name() + "' and '" + other.name()
                            + "' have the same name or the same secret");
                }
            }
        }
        this.tokens = List.copyOf(tokens);
        return this;
    }

    /** Whether it may listen without tokens at an address that other machines can reach: then they all may do everything. Not unless set. */
    public LockServerBuilder insecure(boolean insecure) {
        this.insecure = insecure;
        return this;
    }

    /** How much one client may ask for, {@link Limits#defaults} unless set. */
    public LockServerBuilder limits(Limits limits) {
        this.limits = Objects.requireNonNull(limits, "limits");
        return this;
    }

    /** After how long a connection is closed on which nothing happens, and nothing is waited for: 100 ms to 1 h, 30 s unless set. */
    public LockServerBuilder idleTimeout(Duration idleTimeout) {
        if (idleTimeout.compareTo(Duration.ofMillis(100)) < 0 || idleTimeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("idleTimeout is " + idleTimeout + ", but must be from 100 ms to 1 h");
        }
        this.idleTimeout = idleTimeout;
        return this;
    }

    /**
     * Connects to the nodes, and begins to listen.
     *
     * @throws IllegalArgumentException if the host is not this machine's own and there are no tokens, or settings of the client are wrong
     * @throws dev.holdfast.NodeRefusedException if a node must not be used
     * @throws dev.holdfast.HoldfastException if the port can't be listened on, or the folder of data can't be used
     */
    public LockServer start() {
        if (tokens.isEmpty() && !insecure && !isLoopback(host)) {
            throw new IllegalArgumentException(
                    "host is " + host
                            + ", which other machines can reach, but there are no tokens: set some, or say that it is to be insecure");
        }
        HoldfastBuilder used = client == null ? Holdfast.builder() : client;
        return LockServer.start(used, onItself, data, host, port, limits, idleTimeout, tokens, insecure);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("host is " + host + ", which is not known", e);
        }
    }
}
