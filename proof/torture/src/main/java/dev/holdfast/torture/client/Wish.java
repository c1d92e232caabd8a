package dev.holdfast.torture.client;

import dev.holdfast.lock.LockMode;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a worker for one turn.
 *
 * @param lock the lock
 * @param mode the mode
 * @param ttl the time to live
 * @param patience how long to wait for the lock
 * @param cancelAfter when to cancel the wait before it ends; {@code null} for never
 * @param hold how long to hold the lock
 * @param autoExtend whether the client extends it automatically
 * @param maxHold the longest hold; {@code null} for none
 * @param abandon whether to let it expire instead of releasing it
 */
record Wish(
        String lock,
        LockMode mode,
        Duration ttl,
        Duration patience,
        @Nullable Duration cancelAfter,
        Duration hold,
        boolean autoExtend,
        @Nullable Duration maxHold,
        boolean abandon) {

    /** The longest ttl; a quarantine must be as long. */
    static final Duration LONGEST_TTL = Duration.ofSeconds(2);

    /**
     * The longest hold of each lock: from a lock that is busy with short holds to one with holds that need extensions.
     */
    private static final int[] LONGEST_HOLD_MILLIS = {5, 20, 80, 500, 3_500};

    /** The share of each lock in a hundred turns. */
    private static final int[] SHARES = {46, 28, 16, 7, 3};

    /** How many turns in a thousand abandon the lock. They are few, since each blocks its lock for a whole ttl. */
    private static final int ABANDONED_OF_1000 = 3;

    private static final int[] TTL_MILLIS = {1_000, 1_500, 2_000};

    /** Returns the number of locks. */
    static int locks() {
        return LONGEST_HOLD_MILLIS.length;
    }

    static Wish draw(RandomGenerator random, ClientSettings.Kind kind) {
        boolean holdfast = kind == ClientSettings.Kind.HOLDFAST;
        int lock = drawLock(random.nextInt(100));
        boolean abandon = random.nextInt(1_000) < ABANDONED_OF_1000;
        return new Wish(
                LockNaming.lock(kind, lock),
                holdfast ? mode(random) : LockMode.EX,
                Duration.ofMillis(TTL_MILLIS[random.nextInt(TTL_MILLIS.length)]),
                chance(random, 15) ? Duration.ZERO : upTo(random, 3_000),
                holdfast && chance(random, 10) ? upTo(random, 500) : null,
                upTo(random, LONGEST_HOLD_MILLIS[lock]),
                !abandon && !chance(random, 15),
                holdfast && chance(random, 10) ? Duration.ofMillis(random.nextInt(100, 2_500)) : null,
                abandon);
    }

    private static int drawLock(int drawn) {
        int lock = 0;
        for (int left = drawn - SHARES[0]; left >= 0; left -= SHARES[lock]) {
            lock++;
        }
        return lock;
    }

    private static LockMode mode(RandomGenerator random) {
        int drawn = random.nextInt(100);
        return drawn < 65
                ? LockMode.EX
                : drawn < 75
                        ? LockMode.PW
                        : drawn < 88 ? LockMode.PR : drawn < 94 ? LockMode.CR : drawn < 98 ? LockMode.CW : LockMode.NL;
    }

    private static boolean chance(RandomGenerator random, int percent) {
        return random.nextInt(100) < percent;
    }

    private static Duration upTo(RandomGenerator random, int millis) {
        return Duration.ofMillis(random.nextInt(millis) + 1);
    }

    /** Returns whether its holder may change the resource: {@code true} for the modes that exclude each other. */
    boolean writes() {
        return mode == LockMode.EX || mode == LockMode.PW;
    }
}
