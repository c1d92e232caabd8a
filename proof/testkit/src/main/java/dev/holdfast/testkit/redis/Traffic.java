package dev.holdfast.testkit.redis;

import java.time.Duration;

/**
 * What happens to bytes that go one way: when and whether they are handed on.
 *
 * @param kind whether they are
 * @param delayNanos how long each is under way, at least
 * @param bytesPerSecond how many of a connection are handed on in a second, {@link Long#MAX_VALUE} for as many as come
 */
record Traffic(Kind kind, long delayNanos, long bytesPerSecond) {

    enum Kind {
        PASS,
        HOLD,
        LOSE
    }

    static final Traffic PASS = new Traffic(Kind.PASS, 0, Long.MAX_VALUE);
    static final Traffic HOLD = new Traffic(Kind.HOLD, 0, Long.MAX_VALUE);
    static final Traffic LOSE = new Traffic(Kind.LOSE, 0, Long.MAX_VALUE);

    static Traffic delayed(Duration delay) {
        return new Traffic(Kind.PASS, delay.toNanos(), Long.MAX_VALUE);
    }

    static Traffic throttled(long bytesPerSecond) {
        return new Traffic(Kind.PASS, 0, bytesPerSecond);
    }
}
