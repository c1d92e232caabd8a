package dev.holdfast.testkit.redis;

import java.time.Duration;

/**
 * The treatment of bytes in one direction.
 *
 * @param kind whether they are forwarded
 * @param delayNanos the least delay of each byte
 * @param bytesPerSecond how many bytes of a connection are forwarded in a second; {@link Long#MAX_VALUE} for no limit
 */
record Traffic(Kind kind, long delayNanos, long bytesPerSecond) {

    enum Kind {
        PASS,
        HOLD,
        STALL,
        LOSE
    }

    static final Traffic PASS = new Traffic(Kind.PASS, 0, Long.MAX_VALUE);
    static final Traffic HOLD = new Traffic(Kind.HOLD, 0, Long.MAX_VALUE);
    static final Traffic STALL = new Traffic(Kind.STALL, 0, Long.MAX_VALUE);
    static final Traffic LOSE = new Traffic(Kind.LOSE, 0, Long.MAX_VALUE);

    static Traffic delayed(Duration delay) {
        return new Traffic(Kind.PASS, delay.toNanos(), Long.MAX_VALUE);
    }

    static Traffic throttled(long bytesPerSecond) {
        return new Traffic(Kind.PASS, 0, bytesPerSecond);
    }
}
