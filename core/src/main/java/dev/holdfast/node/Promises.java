package dev.holdfast.node;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The facts that a node in memory must still know after a restart (PROTOCOL §5): how long its votes last, how high its fences are, and which
 * resources are sealed. Implementations are thread-safe.
 *
 * <p>Promises need not be exact: promising more than the node gave costs waiting after a restart, never safety.
 */
public interface Promises {

    /** Returns how long votes of earlier runs may still last, in milliseconds; 0 if none does. The node does not vote during that time. */
    long remainingMillis();

    /** Returns a fence that no earlier run exceeded; 0 if there was none. */
    long fence();

    /** Returns the resources that earlier runs sealed, with the present state of their seals. */
    List<SealedResource> seals();

    /**
     * A sealed resource: a client declared the work under it done.
     *
     * @param resource the name of the resource at the node
     * @param seal the owner that sealed the resource, and how long the seal lasts from now on
     */
    record SealedResource(String resource, Seal seal) {}

    /**
     * Persists the promises of an answer that the node is about to give. Returns at once.
     *
     * @param votesMillis how long the votes that the node has given last from now on, in milliseconds; 0 or less if none does
     * @param fence the highest fence that the node has given
     * @param toSeal the resource that the request seals; null if it seals none
     * @return completes on any thread, once all of these facts would survive a crash. If they cannot be persisted, it completes exceptionally, and
     *     the node promises nothing.
     */
    CompletionStage<Void> keep(long votesMillis, long fence, @Nullable SealedResource toSeal);

    /** Persists the promises of a node that ends and gives no further votes. Blocks until they are persisted. */
    void settle(long votesMillis, long fence);
}
