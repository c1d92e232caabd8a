package dev.holdfast.locked;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.LockOptions;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A setting of a client that does not fit another one, so that the client cannot be built.
 *
 * @param name the name of the setting in the application's properties
 * @param why the problem
 * @param remedy the remedy, as a sentence without its full stop
 */
public record UnfitSetting(String name, String why, String remedy) {

    /**
     * Returns the setting because of which a client could not be built.
     *
     * @param root the beginning of the names of all settings, with its last dot
     * @param ttl null for the default
     * @param nodeTimeout null for the default, which fits every ttl
     * @param refusal the exception of the client's builder
     */
    public static UnfitSetting of(
            String root, @Nullable Duration ttl, @Nullable Duration nodeTimeout, IllegalArgumentException refusal) {
        Duration length = Objects.requireNonNullElse(ttl, LockOptions.defaults().ttl());
        if (nodeTimeout != null && nodeTimeout.multipliedBy(2).compareTo(length) > 0) {
            return new UnfitSetting(
                    root + "node.timeout",
                    "timeout is " + DurationText.exact(nodeTimeout) + ", but must be at most half of " + root
                            + "ttl, which is " + DurationText.exact(length)
                            + ", so that a client can retry before a lease ends",
                    "Set " + root + "node.timeout to " + DurationText.exact(length.dividedBy(2)) + " or less, or "
                            + root + "ttl to " + DurationText.exact(nodeTimeout.multipliedBy(2)) + " or more");
        }
        String message = Objects.requireNonNullElse(refusal.getMessage(), "it is not valid");
        return new UnfitSetting(root + (message.startsWith("ttl is ") ? "ttl" : "nodes"), message, "Correct it");
    }
}
