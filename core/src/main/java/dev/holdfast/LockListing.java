package dev.holdfast;

import dev.holdfast.quorum.Validity;
import java.util.List;

/**
 * The names of locks in use, as far as nodes have told them.
 *
 * @param names in order, those of all nodes that answered together
 * @param answered how many nodes answered in time
 * @param nodes how many there are
 */
public record LockListing(List<String> names, int answered, int nodes) {

    public LockListing {
        names = List.copyOf(names);
    }

    /** Whether a majority of nodes answered; without one, held locks may be missing. */
    public boolean hasQuorum() {
        return answered >= Validity.majority(nodes);
    }
}
