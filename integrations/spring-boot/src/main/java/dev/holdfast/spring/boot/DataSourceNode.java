package dev.holdfast.spring.boot;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.postgresql.PostgresNode;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The application's own PostgreSQL database as the only node. */
final class DataSourceNode implements HoldfastConnectionDetails {

    private final DataSource dataSource;
    private volatile boolean opened;

    DataSourceNode(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    DataSource dataSource() {
        return dataSource;
    }

    /** Returns whether a client has opened the node. A client that the application itself creates may have other nodes. */
    boolean isOpened() {
        return opened;
    }

    @Override
    public List<String> getNodes() {
        return List.of();
    }

    /** Returns a node with its own connections if the pool reveals the database's address, so that locks never take a connection from the application. */
    @Override
    public List<Function<NodeContext, LockNode>> getNodeOpeners() {
        boolean known = ClassUtils.isPresent(
                "com.zaxxer.hikari.HikariDataSource", getClass().getClassLoader());
        Function<NodeContext, LockNode> own = known ? Hikari.opener(dataSource) : null;
        Function<NodeContext, LockNode> opener = own == null ? PostgresNode.of(dataSource) : own;
        return List.of(context -> {
            opened = true;
            return opener.apply(context);
        });
    }

    /** The access to HikariCP, in a separate class because an application may have another pool. */
    private static final class Hikari {

        static @Nullable Function<NodeContext, LockNode> opener(DataSource dataSource) {
            HikariDataSource pool;
            try {
                if (!dataSource.isWrapperFor(HikariDataSource.class)) {
                    return null;
                }
                pool = dataSource.unwrap(HikariDataSource.class);
            } catch (SQLException e) { // a proxy that cannot be unwrapped
                return null;
            }
            String url = pool.getJdbcUrl();
            if (url == null) {
                return null;
            }
            if (!url.contains("postgresql:")) {
                throw new HoldfastPropertyException(
                        "holdfast.nodes",
                        "no nodes are configured, and the application's database is not PostgreSQL: "
                                + url.split("[?;]", 2)[0],
                        "Set one Redis or Valkey server, such as redis://localhost:6379, or a PostgreSQL database;"
                                + " memory: is for tests.",
                        null);
            }
            return url.startsWith("jdbc:postgresql:") ? PostgresNode.of(url, () -> properties(pool)) : null;
        }

        private static Properties properties(HikariDataSource pool) {
            Properties properties = new Properties();
            properties.putAll(pool.getDataSourceProperties());
            properties.remove("ApplicationName"); // the connections for locks have their own application name
            if (pool.getUsername() != null) {
                properties.setProperty("user", pool.getUsername());
            }
            if (pool.getPassword() != null) {
                properties.setProperty("password", pool.getPassword());
            }
            return properties;
        }
    }
}
