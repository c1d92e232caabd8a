package dev.holdfast.node;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a node in memory must still know after it has ended and begun again (PROTOCOL §5): until when its votes last, how high its fences are, and what is
 * sealed. Thread-safe.
 *
 * <p>It need not be exact: promising more than was given costs waiting after a restart, never safety.
 */
public interface Promises {

    /** How long votes of earlier runs may last at most, 0 if none does: for so long the node does not vote. */
    long remainingMillis();

    /** A fence that no earlier run exceeded, 0 if there was none. */
    long fence();

    /** What earlier runs sealed, as it is now. */
    List<SealedResource> seals();

    /**
     * A resource whose work was declared done.
     *
     * @param resource its name as the node knows it
     * @param seal by whom, and for how long from now on
     */
    record SealedResource(String resource, Seal seal) {}

    /**
     * The node is about to answer. Returns at once.
     *
     * @param votesMillis how long votes last that have been given, from now on; 0 or less if none does
     * @param fence the highest fence that has been given
     * @param toSeal what is being sealed; null if nothing is
     * @return completes, on any thread, once all of that would be known after a crash; exceptionally if it can't be written down, and then
     *     nothing is promised
     */
    CompletionStage<Void> keep(long votesMillis, long fence, @Nullable SealedResource toSeal);

    /** The node ends: its votes last for so long, and it gives no more. Blocks until that is written down. */
    void settle(long votesMillis, long fence);
}
