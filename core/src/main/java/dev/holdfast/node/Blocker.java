package dev.holdfast.node;

import java.util.OptionalLong;

/**
 * The holder that blocks a request, for people.
 *
 * @param kind the kind of content in place of the lock
 * @param owner the owner id; for a foreign holder, the stored value, shortened; for another type, its name, such as {@code hash}
 * @param remainingMillis how long the content lasts without an extension, in milliseconds; empty if it has no expiry
 */
public record Blocker(Kind kind, String owner, OptionalLong remainingMillis) {

    /** The kind of content that a node stores in place of the lock. */
    public enum Kind {
        /** A vote of a Holdfast client. */
        HOLDFAST,
        /** A plain value that another client of the Redis documentation's algorithm wrote. */
        FOREIGN,
        /** Content that is not a lock. */
        OTHER_TYPE,
    }

    /** Returns a text for people, for example {@code billing@host-7}. The text marks foreign holders as such. */
    public String display() {
        return switch (kind) {
            case HOLDFAST -> OwnerId.displayName(owner);
            case FOREIGN -> "a foreign client ('" + owner + "')";
            case OTHER_TYPE -> "something that is not a lock (a " + owner + ")";
        };
    }
}
