package dev.holdfast.lock;

import java.util.List;

/**
 * The outcome of breaking a lease, and the nodes at which it failed.
 *
 * @param outcome the outcome at a majority of nodes
 * @param problems the name of each node that did not release the lease, with the reason, such as a missing permission of the user
 */
public record BreakReport(BreakOutcome outcome, List<String> problems) {

    public BreakReport {
        problems = List.copyOf(problems);
    }
}
