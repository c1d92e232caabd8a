package dev.holdfast.cluster;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.Push;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The locks whose next request will probably wait in the queue, as the last entries show. It is a guess: votes expire, and clients leave the queue, without
 * a sign here. Not thread-safe.
 */
final class ContendedLocks {

    /** The most locks. If there are more, all are forgotten, and found again one by one. */
    private static final int MOST = 10_000;

    private final Set<String> names = new HashSet<>();

    /** Returns whether this operation will probably just wait in the queue. */
    boolean queues(Operation<?> operation) {
        return operation instanceof Operation.Acquire acquire
                && acquire.request().queue()
                && names.contains(acquire.request().resource());
    }

    /** Learns from an entry. */
    void learn(List<Operation<?>> operations, List<Object> answers, List<Push> pushes) {
        Set<String> granted = pushes.isEmpty()
                ? Set.of()
                : pushes.stream()
                        .filter(Push.Granted.class::isInstance)
                        .map(Push::resource)
                        .collect(Collectors.toSet());
        for (int i = 0; i < operations.size(); i++) {
            learn(operations.get(i), answers.get(i), granted);
        }
        if (names.size() > MOST) {
            names.clear();
        }
    }

    private void learn(Operation<?> operation, Object answer, Set<String> granted) {
        if (operation instanceof Operation.Acquire acquire && acquire.request().queue()) {
            if (answer instanceof AcquireAnswer.Queued) {
                names.add(acquire.request().resource());
            } else {
                names.remove(acquire.request().resource());
            }
        } else if (operation instanceof Operation.Release release
                && !granted.contains(release.request().resource())) {
            names.remove(release.request().resource());
        }
    }
}
