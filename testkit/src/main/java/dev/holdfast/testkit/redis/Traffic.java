package dev.holdfast.testkit.redis;

import java.time.Duration;

/**
 * What happens to bytes that go one way: when and whether they are handed on.
 *
 * @param kind whether they are
 * @param delayNanos how long each is under way, at least
 */
record Traffic(Kind kind, long delayNanos) {

    enum Kind {
        PASS,
        HOLD,
        LOSE
    }

    static final Traffic PASS = new Traffic(Kind.PASS, 0);
    static final Traffic HOLD = new Traffic(Kind.HOLD, 0);
    static final Traffic LOSE = new Traffic(Kind.LOSE, 0);

    static Traffic delayed(Duration delay) {
        return new Traffic(Kind.PASS, delay.toNanos());
    }
}
