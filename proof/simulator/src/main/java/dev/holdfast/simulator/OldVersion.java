package dev.holdfast.simulator;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseRequest;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The behavior of a client of the first version and its scripts, put between a production client and a node. Such a client does not know
 * the longest ttl of a lock, and writes neither a value nor a seal back. Its scripts grant a vote without naming the next waiter. {@link
 * SimClient} makes it quarantine nodes by its default ttl.
 *
 * <p>The test of two real versions, {@code OldClientTest}, covers two more differences. Scripts of the first version do not store the
 * longest ttl of a lock, and its clients number their rounds from 0.
 */
final class OldVersion {

    private OldVersion() {}

    /** Returns the answer as a client of the first version understands it. */
    static AcquireAnswer heard(AcquireAnswer answer) {
        if (answer instanceof Granted granted) {
            return new Granted(granted.fence(), granted.contender(), granted.latestTicketTime(), granted.value(), 0);
        }
        if (answer instanceof Queued queued) {
            return new Queued(
                    queued.remainingMillis(),
                    queued.fence(),
                    queued.place(),
                    queued.blocker(),
                    queued.latestTicketTime(),
                    0);
        }
        if (answer instanceof Denied denied) {
            return new Denied(denied.remainingMillis(), denied.reason(), denied.blocker(), denied.latestTicketTime());
        }
        return answer;
    }

    /**
     * Returns the release as a client of the first version sends it.
     *
     * @param ofLease whether the release ends a lease, so that a seal in it is the client's own
     */
    static ReleaseRequest said(ReleaseRequest request, boolean ofLease) {
        return new ReleaseRequest(
                request.resource(), request.owner(), request.buryMillis(), ofLease ? request.seal() : null);
    }

    /**
     * Returns the pushes that scripts of the first version publish: they name the next waiter to a holder, but not to a waiter that receives the
     * vote.
     */
    static List<Push> published(List<Push> pushes) {
        return IntStream.range(0, pushes.size())
                .filter(index -> !namesTheNext(pushes, index))
                .mapToObj(pushes::get)
                .toList();
    }

    private static boolean namesTheNext(List<Push> pushes, int index) {
        return index + 1 < pushes.size()
                && pushes.get(index) instanceof Push.Contended contended
                && pushes.get(index + 1) instanceof Push.Granted granted
                && granted.owner().equals(contended.owner());
    }
}
