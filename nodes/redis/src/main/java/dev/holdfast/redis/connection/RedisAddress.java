package dev.holdfast.redis.connection;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a node, read from its URI by {@link RedisAddressParser}.
 *
 * @param kind the kind of server at the address
 * @param tls whether the connection is encrypted
 * @param place the place to connect to
 * @param database the number of the database; always 0 in a cluster
 * @param credentials null if the URI has none
 */
public record RedisAddress(
        Kind kind,
        boolean tls,
        Place place,
        int database,
        @Nullable Credentials credentials) {

    public enum Kind {
        SERVER("redis"),
        SOCKET("redis-socket"),
        SENTINEL("redis-sentinel"),
        CLUSTER("redis-cluster");

        final String scheme;

        Kind(String scheme) {
            this.scheme = scheme;
        }

        String scheme(boolean tls) {
            return tls ? scheme.replaceFirst("redis", "rediss") : scheme;
        }
    }

    /** A host name or an IP address, without brackets, and a port. */
    record Host(String name, int port) {

        @Override
        public String toString() {
            return (name.indexOf(':') < 0 ? name : "[" + name + "]") + ":" + port;
        }
    }

    /**
     * The place to connect to.
     *
     * @param hosts one for a server, one or more for sentinels and clusters, none for a socket
     * @param socketPath the path of a Unix socket
     * @param master the name of the master that sentinels watch
     */
    record Place(
            List<Host> hosts,
            @Nullable String socketPath,
            @Nullable String master) {

        Place {
            hosts = List.copyOf(hosts);
        }
    }

    /**
     * The user in a URI.
     *
     * @param username null if the URI has only a password
     * @param password never shown
     */
    record Credentials(@Nullable String username, String password) {

        @Override
        public String toString() {
            return "credentials";
        }
    }

    /** Returns the address in a canonical form, without credentials. */
    public String name() {
        String socketPath = place.socketPath;
        String master = place.master;
        String where = socketPath != null
                ? PercentCoding.encode(socketPath) + (database == 0 ? "" : "?database=" + database)
                : place.hosts.stream().map(Host::toString).collect(Collectors.joining(","))
                        + (database == 0 ? "" : "/" + database)
                        + (master == null ? "" : "?master=" + PercentCoding.encode(master));
        return kind.scheme(tls) + "://" + where;
    }

    /** Returns what to check if the server ends a new connection, or is silent: one side may speak TLS, and the other may not. */
    String tlsHint() {
        if (kind == Kind.SOCKET) {
            return "";
        }
        String other = kind.scheme(!tls) + "://";
        return tls
                ? "check the host and the port, and if the port does not speak TLS, write " + other
                : "check the host and the port, and if it expects TLS, write " + other;
    }

    @Override
    public String toString() {
        return name();
    }
}
