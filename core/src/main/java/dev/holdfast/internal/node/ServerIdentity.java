package dev.holdfast.internal.node;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server that stands behind a node. Compared by identity: a node gets a new object when it leaves a server and returns to it, and when its server
 * begins or ceases to count.
 */
public final class ServerIdentity {

    final String id;
    final @Nullable String twin; // why the server does not count at this node

    ServerIdentity(String id, @Nullable String twin) {
        this.id = id;
        this.twin = twin;
    }

    boolean isSame(String otherId, @Nullable String otherTwin) {
        return id.equals(otherId) && Objects.equals(twin, otherTwin);
    }
}
