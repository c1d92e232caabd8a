package dev.holdfast.node;

import java.util.List;
import java.util.TreeSet;

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

        /**
         * Returns the answer for resources that are divided among several tables. A name behind the end of a list that is not complete is left out, since others
         * may be missing before it.
         *
         * @param parts the answers of all tables, each for this limit
         */
        public static Names merge(List<Names> parts, int limit) {
            TreeSet<String> merged = new TreeSet<>();
            parts.forEach(part -> merged.addAll(part.names));
            for (Names part : parts) {
                if (!part.complete && !part.names.isEmpty()) {
                    merged.tailSet(part.names.get(part.names.size() - 1), false).clear();
                }
            }
            return new Names(
                    merged.stream().limit(limit).toList(),
                    merged.size() <= limit && parts.stream().allMatch(Names::complete));
        }
    }
}
