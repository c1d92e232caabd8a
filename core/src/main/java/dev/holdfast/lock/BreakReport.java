package dev.holdfast.lock;

import java.util.List;

/**
 * What came of breaking a lease by force, and at which nodes it failed.
 *
 * @param outcome what came of it at a majority of nodes
 * @param problems why each node that did not release the lease has not, with its name; such as that the user lacks a right
 */
public record BreakReport(BreakOutcome outcome, List<String> problems) {

    public BreakReport {
        problems = List.copyOf(problems);
    }
}
