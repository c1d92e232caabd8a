package dev.holdfast.node;

import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Quarantined;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The rule for requests to a node that may have lost state (PROTOCOL §5). Every kind of node applies it, so it is defined here.
 *
 * <p>A quarantined node gives no new vote that counts, so the client does not ask for one. The node may extend a vote that it still has: the vote
 * itself proves that the node remembers it.
 */
public final class Quarantine {

    private Quarantine() {}

    /**
     * Sends a request as the quarantine allows.
     *
     * @param remainingMillis how long the node is quarantined for this request, 0 if it is not
     * @param send sends a request to the node
     * @return the node's answer, or {@link Quarantined} if a quarantined node does not have the vote yet; such a node never gets a request for a new
     *     vote
     */
    public static CompletionStage<AcquireAnswer> ask(
            AcquireRequest request,
            long remainingMillis,
            Function<AcquireRequest, ? extends CompletionStage<AcquireAnswer>> send) {
        if (remainingMillis <= 0) {
            return send.apply(request);
        }
        if (request.floor() == 0) {
            return CompletableFuture.completedFuture(new Quarantined(remainingMillis));
        }
        return send.apply(request.withoutHeal())
                .thenApply(answer -> answer instanceof Denied ? new Quarantined(remainingMillis) : answer);
    }
}
