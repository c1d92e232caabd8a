package dev.holdfast.node;

import java.util.List;

/** The answer of a node to a question about its resources: their {@link Names}, or {@link Unavailable}. */
public sealed interface ListAnswer permits ListAnswer.Names, Unavailable {

    /**
     * The resources with a holder, a waiter or a seal, in the order of their names.
     *
     * @param names the names at the node, including the key prefix
     * @param complete whether there are no further names
     */
    record Names(List<String> names, boolean complete) implements ListAnswer {
        public Names {
            names = List.copyOf(names);
        }
    }
}
