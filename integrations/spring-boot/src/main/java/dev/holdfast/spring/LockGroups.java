package dev.holdfast.spring;

/**
 * A function that maps the names of locks to a few groups, which become the tag {@code group} of their metrics. A bean of this type adds the tag.
 * Without such a bean, the group is the name in the {@link Locked} annotation, and {@code other} for all other locks. The full name of a lock, such as {@code
 * orders:42}, is never a group.
 */
@FunctionalInterface
public interface LockGroups {

    /**
     * Returns the group of a lock.
     *
     * @param lock the lock's name, such as {@code orders:42}
     * @return the group, such as {@code orders}; empty for the group {@code other}
     */
    String groupOf(String lock);
}
