package dev.holdfast.postgresql;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeProvider;
import java.util.Set;

/**
 * A provider of nodes that are PostgreSQL databases, version 13 or later, by URI:
 *
 * <pre>
 * postgresql://[user[:password]@]host[:port][,host[:port]…]/database[?schema=holdfast]
 * </pre>
 *
 * <p>Of several hosts, the primary is the node. The port is 5432 by default, and the schema {@code holdfast}. All other parameters are those of the JDBC driver, such as {@code
 * sslmode=verify-full}; {@code postgres://} and the URL of the driver, {@code jdbc:postgresql://}, mean the same. Characters with a meaning in URIs must be percent-encoded. Credentials in the URI take
 * precedence over {@link dev.holdfast.node.NodeOptions#credentials}.
 *
 * <p>The node creates its schema on first use if its role has the right CREATE on the database. A role that only uses the schema needs {@code GRANT
 * USAGE ON SCHEMA} and {@code GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA}, and no right on any table.
 */
public final class PostgresNodeProvider implements NodeProvider {

    /** Creates the provider. {@link java.util.ServiceLoader} calls this constructor. */
    public PostgresNodeProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("postgresql", "postgres", "jdbc");
    }

    @Override
    public LockNode open(String uri, NodeContext context) {
        PostgresAddress address = PostgresAddress.parse(uri);
        return new PostgresNode(address.name(), address.connections(context), address.schema(), context).start();
    }
}
