package dev.holdfast.node;

import java.util.List;

/** What a node says about the names it knows: {@link Names}, or that it can't. */
public sealed interface ListAnswer permits ListAnswer.Names, Unavailable {

    /**
     * Resources with a holder, a waiter or a seal, in the order of their names.
     *
     * @param names as the node knows them, key prefix included
     * @param complete whether there are no more than these
     */
    record Names(List<String> names, boolean complete) implements ListAnswer {
        public Names {
            names = List.copyOf(names);
        }
    }
}
