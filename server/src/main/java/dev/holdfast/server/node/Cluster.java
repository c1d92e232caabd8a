package dev.holdfast.server.node;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.node.ObjectNode;

/**
 * The cluster to which a server belongs, for its operators. Each change completes with an empty text, or with the reason why nothing was changed. Thread-safe.
 */
public interface Cluster {

    /** Asks all servers for their state, and returns what this one makes of their answers: the answer of {@code /v1/cluster}. */
    CompletionStage<ObjectNode> view();

    /**
     * Returns the part that this server takes in the cluster. It asks the servers that lead.
     *
     * @return completes within a few seconds
     */
    CompletionStage<Part> part();

    /**
     * The part of this server in its cluster.
     *
     * @param isMissing whether the server should take part, and does not
     * @param detail for people, without a full stop: why its part is missing, or what a server that joins waits for; otherwise empty
     */
    record Part(boolean isMissing, String detail) {}

    /** Adds a server that has started to join. */
    CompletionStage<String> add(String name, String address);

    /** Removes a server. */
    CompletionStage<String> remove(String server);

    /** Lets another server lead. */
    CompletionStage<String> transfer(String server);

    /**
     * Makes a backup.
     *
     * @return completes with the content of the file, or exceptionally with a {@link dev.holdfast.lock.HoldfastException} that says why there is none
     */
    CompletionStage<byte[]> backup();

    /** Adds the metrics of the cluster, as this server sees it. From now on, it asks the other servers regularly until the node is closed. */
    void addMetrics(MeterRegistry registry);
}
