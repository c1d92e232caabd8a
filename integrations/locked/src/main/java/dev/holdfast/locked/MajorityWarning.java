package dev.holdfast.locked;

import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.Waiting;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A warning about a call that waits while no majority of nodes answers: after 1 s, then at most every 10 s. One instance belongs to one call, which
 * reports from one thread at a time.
 */
public final class MajorityWarning implements Consumer<Waiting> {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final String subject;
    private final Consumer<String> log;
    private Duration next = FIRST;

    /**
     * Creates a warning.
     *
     * @param subject the method, as the beginning of a sentence
     * @param log logs a warning
     */
    public MajorityWarning(String subject, Consumer<String> log) {
        this.subject = subject;
        this.log = log;
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
        log.accept(subject + " has waited for lock '" + state.lock() + "' for "
                + state.waited().toMillis()
                + " ms, because no majority of nodes answers: "
                + state.nodes().stream().map(NodeReport::toString).collect(Collectors.joining("; ")));
    }
}
