package dev.holdfast.cli.process;

import dev.holdfast.internal.time.DurationText;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long a command has between TERM and KILL. A lease is extended after a third of its ttl, and again when that has failed: the command
 * is sent TERM only after that, so the default is a quarter of a short ttl.
 */
public final class Grace {

    /** The default for ttls of 20 s and more. */
    static final Duration LONGEST_DEFAULT = Duration.ofSeconds(5);

    private static final int DEFAULT_SHARE = 4;
    private static final int LARGEST_SHARE = 3;

    private Grace() {}

    /** Returns the one that was asked for, else the default for this ttl. */
    public static Duration of(@Nullable Duration asked, Duration ttl) {
        Duration share = ttl.dividedBy(DEFAULT_SHARE);
        return asked != null ? asked : share.compareTo(LONGEST_DEFAULT) < 0 ? share : LONGEST_DEFAULT;
    }

    /** What is to be said of one that was asked for and does not leave time for a second extension; empty if all is well. */
    public static Optional<String> warning(@Nullable Duration asked, Duration ttl) {
        return asked == null || asked.compareTo(ttl.dividedBy(LARGEST_SHARE)) <= 0
                ? Optional.empty()
                : Optional.of("--grace is " + DurationText.of(asked) + " and --ttl " + DurationText.of(ttl)
                        + ": the command may be sent TERM when a single extension fails; give a grace of "
                        + DurationText.of(ttl.dividedBy(LARGEST_SHARE)) + " at most, or a longer ttl");
    }
}
