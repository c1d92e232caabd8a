package dev.holdfast.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Where an application's nodes are: one, several, or some of them. If there is more than one bean of this kind (one for each service of a compose file,
 * say), their nodes are taken together, in their order. They have nothing to do with the connection details of the application's own Redis.
 */
public interface HoldfastConnectionDetails extends ConnectionDetails {

    /** Returns the nodes' URIs, as {@code holdfast.nodes} has them. */
    List<String> getNodes();

    /** Returns the user of those whose URIs have none; null for the server's default user. */
    default @Nullable String getUsername() {
        return null;
    }

    /** Returns the password of those whose URIs have none; null for none. */
    default @Nullable String getPassword() {
        return null;
    }

    /** For nodes with TLS; null for what Java trusts. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
