package dev.holdfast.redis.connection;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a node, read from its URI by {@link RedisAddressParser}.
 *
 * @param kind the kind of server at the address
 * @param tls whether the connection is encrypted
 * @param hosts one for a server, one or more for sentinels and clusters, none for a socket
 * @param socketPath the path of a Unix socket
 * @param database the number of the database; always 0 in a cluster
 * @param username null if the URI has none
 * @param password null if the URI has none; never shown
 * @param master the name of the master that sentinels watch
 */
public record RedisAddress(
        Kind kind,
        boolean tls,
        List<Host> hosts,
        @Nullable String socketPath,
        int database,
        @Nullable String username,
        @Nullable String password,
        @Nullable String master) {

    public enum Kind {
        SERVER("redis"),
        SOCKET("redis-socket"),
        SENTINEL("redis-sentinel"),
        CLUSTER("redis-cluster");

        final String scheme;

        Kind(String scheme) {
            this.scheme = scheme;
        }
    }

    /** A host name or an IP address, without brackets, and a port. */
    record Host(String name, int port) {

        @Override
        public String toString() {
            return (name.indexOf(':') < 0 ? name : "[" + name + "]") + ":" + port;
        }
    }

    public RedisAddress {
        hosts = List.copyOf(hosts);
    }

    /** Returns the address in a canonical form, without credentials. */
    public String name() {
        String where = socketPath != null
                ? PercentCoding.encode(socketPath) + (database == 0 ? "" : "?database=" + database)
                : hosts.stream().map(Host::toString).collect(Collectors.joining(","))
                        + (database == 0 ? "" : "/" + database)
                        + (master == null ? "" : "?master=" + PercentCoding.encode(master));
        return (tls ? "rediss" : kind.scheme) + "://" + where;
    }

    /** Returns what to check if the server ends a new connection, or is silent: one side may speak TLS, and the other may not. */
    String tlsHint() {
        if (kind != Kind.SERVER) {
            return "";
        }
        return tls
                ? "if the port does not speak TLS, write redis://"
                : "check the host and the port, and if it expects TLS, write rediss://";
    }

    @Override
    public String toString() {
        return name();
    }
}
