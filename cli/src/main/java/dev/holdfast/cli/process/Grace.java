package dev.holdfast.cli.process;

import dev.holdfast.internal.time.DurationText;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The time that a command has between TERM and KILL. A lease is extended after a third of its ttl, and again if that fails. The command gets TERM
 * only after that, so the default is a quarter of a short ttl.
 */
public final class Grace {

    /** The default for ttls of 20 s or more. */
    static final Duration LONGEST_DEFAULT = Duration.ofSeconds(5);

    private static final int DEFAULT_SHARE = 4;
    private static final int LARGEST_SHARE = 3;

    private Grace() {}

    /** Returns the requested grace, or else the default for this ttl. */
    public static Duration of(@Nullable Duration asked, Duration ttl) {
        Duration share = ttl.dividedBy(DEFAULT_SHARE);
        return asked != null ? asked : share.compareTo(LONGEST_DEFAULT) < 0 ? share : LONGEST_DEFAULT;
    }

    /** Returns a warning if the requested grace does not leave time for a second extension; empty otherwise. */
    public static Optional<String> warning(@Nullable Duration asked, Duration ttl) {
        return asked == null || asked.compareTo(ttl.dividedBy(LARGEST_SHARE)) <= 0
                ? Optional.empty()
                : Optional.of("--grace is " + DurationText.of(asked) + " and --ttl " + DurationText.of(ttl)
                        + ": a single failed extension may already send TERM to the command; use a grace of at most "
                        + DurationText.of(ttl.dividedBy(LARGEST_SHARE)) + ", or a longer ttl");
    }
}
