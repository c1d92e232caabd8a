package dev.holdfast.spring.boot;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * The application's own Redis as the only node: a server, a master watched by sentinels, or a cluster. It knows no class with which Spring Boot describes a
 * Redis, since those differ between versions.
 */
public final class ApplicationRedis implements HoldfastConnectionDetails {

    private static final String REMEDY = "List the nodes in holdfast.nodes.";

    private final Access access;
    private final String uri;

    /**
     * A Redis server or sentinel.
     *
     * @param host a name or an address, an IPv6 address with or without brackets
     * @param port 1 to 65535
     */
    public record Host(String host, int port) {

        private String authority() {
            boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
            return (bareIpv6 ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /**
     * The rights and the encryption of a connection.
     *
     * @param username null for the default user
     * @param password null if the servers need none
     * @param sslBundle null without TLS
     */
    public record Access(
            @Nullable String username,
            @Nullable String password,
            @Nullable SslBundle sslBundle) {}

    private ApplicationRedis(Access access, String uri) {
        this.access = access;
        this.uri = uri;
    }

    /** Returns the details of one server. */
    public static ApplicationRedis ofServer(Access access, Host server, int database) {
        String scheme = access.sslBundle() == null ? "redis://" : "rediss://";
        return new ApplicationRedis(access, scheme + server.authority() + path(database));
    }

    /**
     * Returns the details of a master that sentinels watch.
     *
     * @param sentinelPassword null if the sentinels need none
     * @throws HoldfastPropertyException if the sentinels need a password or TLS
     */
    public static ApplicationRedis ofSentinels(
            Access access, List<Host> sentinels, String master, int database, @Nullable String sentinelPassword) {
        refuseTls(access, "redis-sentinel://");
        if (sentinelPassword != null) {
            throw refused(
                    "spring.data.redis.sentinel.password", "is set, but Holdfast cannot authenticate to sentinels");
        }
        String name = URLEncoder.encode(master, StandardCharsets.UTF_8).replace("+", "%20");
        return new ApplicationRedis(
                access, "redis-sentinel://" + authorities(sentinels) + path(database) + "?master=" + name);
    }

    /**
     * Returns the details of a cluster.
     *
     * @throws HoldfastPropertyException if it needs TLS
     */
    public static ApplicationRedis ofCluster(Access access, List<Host> servers) {
        refuseTls(access, "redis-cluster://");
        return new ApplicationRedis(access, "redis-cluster://" + authorities(servers));
    }

    /**
     * Returns the exception for a Redis that cannot be a node.
     *
     * @param property the property that describes it
     * @param why the reason, as the rest of a sentence about the property
     */
    public static HoldfastPropertyException refused(String property, String why) {
        return new HoldfastPropertyException(
                property, why + ", so the application's Redis cannot be used for locks", REMEDY, null);
    }

    private static void refuseTls(Access access, String scheme) {
        if (access.sslBundle() != null) {
            throw refused("spring.data.redis.ssl", "is enabled, but Holdfast does not support TLS with " + scheme);
        }
    }

    private static String authorities(List<Host> hosts) {
        return hosts.stream().map(Host::authority).collect(Collectors.joining(","));
    }

    private static String path(int database) {
        return database == 0 ? "" : "/" + database;
    }

    @Override
    public List<String> getNodes() {
        return List.of(uri);
    }

    @Override
    public @Nullable String getUsername() {
        return access.password() == null ? null : access.username();
    }

    @Override
    public @Nullable String getPassword() {
        return access.password();
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
        return access.sslBundle();
    }
}
