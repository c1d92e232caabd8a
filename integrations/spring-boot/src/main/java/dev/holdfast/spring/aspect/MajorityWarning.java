package dev.holdfast.spring.aspect;

import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Waiting;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A warning about a call that waits while no majority of nodes answers: after 1 s, then at most every 10 s. One instance belongs to one call, which
 * reports from one thread at a time.
 */
final class MajorityWarning implements Consumer<Waiting> {

    private static final Log LOG = LogFactory.getLog(MajorityWarning.class);
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final MethodTraps traps;
    private Duration next = FIRST;

    MajorityWarning(MethodTraps traps) {
        this.traps = traps;
    }

    @Override
    public synchronized void accept(Waiting state) {
        long answering =
                state.nodes().stream().filter(node -> node.kind().isAnswer()).count();
        int majority = state.nodes().size() / 2 + 1;
        if (answering >= majority || state.waited().compareTo(next) < 0) {
            return;
        }
        next = state.waited().plus(EVERY);
        LOG.warn(traps + " has waited for lock '" + state.lock() + "' for "
                + state.waited().toMillis()
                + " ms, because no majority of nodes answers: "
                + state.nodes().stream().map(NodeReport::toString).collect(Collectors.joining("; ")));
    }
}
