package dev.holdfast.lock;

import java.util.List;

/**
 * The names of locks in use, as far as nodes have told them.
 *
 * @param names in order, those of all nodes that answered together
 * @param answered how many nodes answered in time
 * @param nodes how many there are
 * @param problems why each node that did not answer has not, with its name; such as that the user may not SCAN
 */
public record LockListing(List<String> names, int answered, int nodes, List<String> problems) {

    public LockListing {
        names = List.copyOf(names);
        problems = List.copyOf(problems);
    }

    /** Whether a majority of nodes answered; without one, held locks may be missing. */
    public boolean hasQuorum() {
        return answered >= nodes / 2 + 1;
    }
}
