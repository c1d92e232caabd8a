package dev.holdfast.node;

/**
 * Who is in the way, in words for people.
 *
 * @param kind whether Holdfast wrote it
 * @param owner the owner id; of a foreign holder the stored value, shortened; of another type its name, such as {@code hash}
 * @param remainingMillis how long it lasts unless prolonged; -1 if it has no expiry
 */
public record Blocker(Kind kind, String owner, long remainingMillis) {

    /** What is stored in the place of the lock. */
    public enum Kind {
        /** A vote of a Holdfast client. */
        HOLDFAST,
        /** A plain value that another client of the Redis documentation's algorithm wrote. */
        FOREIGN,
        /** Something that is not a lock at all. */
        OTHER_TYPE,
    }

    /** For people, for example {@code billing@host-7}; foreign holders are said to be such. */
    public String display() {
        return switch (kind) {
            case HOLDFAST -> OwnerId.parse(owner).map(OwnerId::clientName).orElse(owner);
            case FOREIGN -> "a foreign client ('" + owner + "')";
            case OTHER_TYPE -> "something that is not a lock (a " + owner + ")";
        };
    }
}
