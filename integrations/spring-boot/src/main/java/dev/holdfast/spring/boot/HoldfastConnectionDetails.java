package dev.holdfast.spring.boot;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * The connection details of one or more of an application's nodes. If there are several beans of this type (one for each service of a compose file,
 * for example), the client uses the nodes of all of them, in bean order. They are separate from the connection details of the application's own
 * Redis.
 */
public interface HoldfastConnectionDetails extends ConnectionDetails {

    /** Returns the nodes' URIs in the format of {@code holdfast.nodes}. */
    List<String> getNodes();

    /** Returns openers of nodes that no URI describes, such as a database of the application; none by default. */
    default List<Function<NodeContext, LockNode>> getNodeOpeners() {
        return List.of();
    }

    /** Returns the user of the nodes whose URIs have none; null for the server's default user. */
    default @Nullable String getUsername() {
        return null;
    }

    /** Returns the password of the nodes whose URIs have none; null for none. */
    default @Nullable String getPassword() {
        return null;
    }

    /** Returns the user of the sentinels; null for their default user. */
    default @Nullable String getSentinelUsername() {
        return null;
    }

    /** Returns the password of the sentinels; null for none. */
    default @Nullable String getSentinelPassword() {
        return null;
    }

    /** Returns the SSL bundle for nodes with TLS; null for Java's trust store. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
