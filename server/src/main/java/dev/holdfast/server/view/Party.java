package dev.holdfast.server.view;

import dev.holdfast.lock.LockStatus;
import dev.holdfast.node.OwnerId;
import dev.holdfast.server.lease.Owners;
import dev.holdfast.server.lease.ServedClient;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An owner that holds a lock or waits for it.
 *
 * @param owner the owner id without its round, or the content in its place
 * @param client the client of a lock server for which the owner acts; null if the owner is no lock server
 */
record Party(String owner, @Nullable ServedClient client) {

    static Party of(LockStatus.Holder holder) {
        return of(holder.owner(), holder.name());
    }

    static Party of(LockStatus.Waiter waiter) {
        return of(waiter.owner(), waiter.name());
    }

    private static Party of(String owner, String name) {
        return new Party(Owners.withoutRound(owner), ServedClient.of(owner, name));
    }

    /**
     * Returns the key of the client for which the owner counts. The owners of one process have the same key. So have those of lock servers if their clients have the
     * same label and token. A client of a lock server without a label counts as a client of its own.
     */
    String key() {
        if (client == null) {
            return OwnerId.parse(owner + "/0").map(OwnerId::client).orElse(owner);
        }
        return client.label() == null ? owner : client.name();
    }

    /** Adds the client and its label; null for both if there is none. */
    static void put(ObjectNode json, @Nullable Party party) {
        ServedClient client = party == null ? null : party.client();
        json.put("client", client == null ? null : client.client());
        json.put("label", client == null ? null : client.label());
    }
}
