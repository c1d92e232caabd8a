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
    private final @Nullable String sentinelUsername;
    private final @Nullable String sentinelPassword;

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
     * The sentinels of a master.
     *
     * @param hosts the sentinels
     * @param master the name of the master
     * @param database the number of the master's database
     */
    public record Sentinels(List<Host> hosts, String master, int database) {

        public Sentinels {
            hosts = List.copyOf(hosts);
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

    private ApplicationRedis(
            Access access, String uri, @Nullable String sentinelUsername, @Nullable String sentinelPassword) {
        this.access = access;
        this.uri = uri;
        this.sentinelUsername = sentinelUsername;
        this.sentinelPassword = sentinelPassword;
    }

    /** Returns the details of one server. */
    public static ApplicationRedis ofServer(Access access, Host server, int database) {
        return new ApplicationRedis(access, scheme(access, "") + server.authority() + path(database), null, null);
    }

    /**
     * Returns the details of a master that sentinels watch.
     *
     * @param access the rights at the master, and the encryption of its connections and the sentinels'
     * @param sentinelUsername null for the sentinels' default user
     * @param sentinelPassword null if the sentinels need none
     */
    public static ApplicationRedis ofSentinels(
            Access access, Sentinels sentinels, @Nullable String sentinelUsername, @Nullable String sentinelPassword) {
        String name =
                URLEncoder.encode(sentinels.master(), StandardCharsets.UTF_8).replace("+", "%20");
        String uri = scheme(access, "-sentinel") + authorities(sentinels.hosts()) + path(sentinels.database())
                + "?master=" + name;
        return new ApplicationRedis(access, uri, sentinelUsername, sentinelPassword);
    }

    /** Returns the details of a cluster. */
    public static ApplicationRedis ofCluster(Access access, List<Host> servers) {
        return new ApplicationRedis(access, scheme(access, "-cluster") + authorities(servers), null, null);
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

    private static String scheme(Access access, String kind) {
        return (access.sslBundle() == null ? "redis" : "rediss") + kind + "://";
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
    public @Nullable String getSentinelUsername() {
        return sentinelPassword == null ? null : sentinelUsername;
    }

    @Override
    public @Nullable String getSentinelPassword() {
        return sentinelPassword;
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
        return access.sslBundle();
    }
}
