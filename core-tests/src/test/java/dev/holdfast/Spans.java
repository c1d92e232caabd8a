package dev.holdfast;

import java.time.Duration;

/** Lengths of time, as tests like to write them. */
public final class Spans {

    private Spans() {}

    public static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    public static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    public static Duration hours(long hours) {
        return Duration.ofHours(hours);
    }

    /** The difference that two clocks may build up over a ttl. */
    public static Duration drift(Duration ttl) {
        return ttl.dividedBy(100).plusMillis(2);
    }
}
