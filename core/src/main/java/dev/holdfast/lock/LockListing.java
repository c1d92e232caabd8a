package dev.holdfast.lock;

import java.util.List;

/**
 * The names of locks in use, from all nodes that answered.
 *
 * @param names the names in order, each once
 * @param answered how many nodes answered in time
 * @param nodes how many nodes there are
 * @param problems the name of each node that did not answer, with the reason, such as a user without permission for SCAN
 */
public record LockListing(List<String> names, int answered, int nodes, List<String> problems) {

    public LockListing {
        names = List.copyOf(names);
        problems = List.copyOf(problems);
    }

    /** Returns whether a majority of nodes answered. Without a majority, the list may lack locks that are held. */
    public boolean hasQuorum() {
        return answered >= nodes / 2 + 1;
    }
}
