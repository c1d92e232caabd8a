package dev.holdfast.node;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * The groups into which a cluster divides its locks, and those among them that one server leads (docs/decisions/0104).
 *
 * <p>A lock belongs to the same group as long as the cluster exists.
 *
 * @param count the number of groups, from 1 to {@link #MOST}
 * @param led the groups whose requests the server carries out, each from 0 to {@code count - 1}
 */
public record LockGroups(int count, Set<Integer> led) {

    /** The largest number of groups. */
    public static final int MOST = 64;

    /** The only group, which the server leads. */
    public static final LockGroups WHOLE = new LockGroups(1, Set.of(0));

    /** No group, for a server that leads none. */
    public static final LockGroups NONE = new LockGroups(1, Set.of());

    public LockGroups {
        led = Set.copyOf(led);
        if (count < 1 || count > MOST || led.stream().anyMatch(group -> group < 0 || group >= count)) {
            throw new IllegalArgumentException("the groups are " + led + " of " + count + "; there must be 1 to " + MOST
                    + ", and they are counted from 0");
        }
    }

    /**
     * Returns the group of a lock: the CRC-32 of its name in UTF-8, modulo the number of groups.
     *
     * @param resource the name at the node, including the key prefix
     */
    public static int of(String resource, int count) {
        CRC32 sum = new CRC32();
        sum.update(resource.getBytes(StandardCharsets.UTF_8));
        return (int) (sum.getValue() % count);
    }

    /** Returns whether the server leads the group of this lock. */
    public boolean leads(String resource) {
        return led.contains(count == 1 ? 0 : of(resource, count));
    }
}
