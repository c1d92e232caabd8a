package dev.holdfast.spring;

/**
 * Maps the names of locks to a few groups, the tag {@code group} of their metrics. A bean of this kind adds the tag; without one there is none, since a name such as {@code orders:42}
 * is never a tag.
 */
@FunctionalInterface
public interface LockGroups {

    /**
     * Returns the group of a lock.
     *
     * @param lock its name, such as {@code orders:42}
     * @return such as {@code orders}; empty for the group {@code other}
     */
    String groupOf(String lock);
}
