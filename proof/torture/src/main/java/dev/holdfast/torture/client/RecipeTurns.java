package dev.holdfast.torture.client;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.SealOutcome;
import dev.holdfast.recipe.MultiAcquisition;
import dev.holdfast.recipe.MultiLease;
import dev.holdfast.recipe.OnceGuard;
import dev.holdfast.testkit.history.AttemptId;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The turns of one worker with a semaphore, with two locks at once, and with work that must be done once. */
final class RecipeTurns {

    private static final int PERMITS = 2;
    private static final int LONGEST_HOLD_MILLIS = 20;

    /** Long enough for all permits to be held at once, also where a slow machine plays few turns. */
    private static final int LONGEST_HOLD_OF_PERMIT_MILLIS = 200;

    private static final Duration TTL = Wish.LONGEST_TTL;
    private static final Duration WAIT = Duration.ofMillis(1_500);
    private static final Duration WAIT_FOR_WORK = Duration.ofMillis(300);

    /**
     * How long seals last: much longer than workers ask for the same work, and short enough to expire before the check
     * of the keys at the end.
     */
    private static final Duration SEAL_RETENTION = Duration.ofSeconds(10);

    /** How long all processes ask for the same piece of work. */
    private static final long WORK_NANOS = 500_000_000;

    private final String client;
    private final Holdfast holdfast;
    private final Diary diary;
    private final AtomicLong attempts;
    private final Random random;

    RecipeTurns(String client, Holdfast holdfast, Diary diary, AtomicLong attempts, Random random) {
        this.client = client;
        this.holdfast = holdfast;
        this.diary = diary;
        this.attempts = attempts;
        this.random = random;
    }

    void turn() throws InterruptedException {
        switch (random.nextInt(3)) {
            case 0 -> permit();
            case 1 -> several();
            default -> once();
        }
    }

    private AttemptId who(String lock, LockMode mode) {
        AttemptId who = new AttemptId(client, attempts.incrementAndGet(), lock, mode);
        diary.asked(who);
        return who;
    }

    private void permit() throws InterruptedException {
        AttemptId who =
                who(LockNaming.semaphore(), LockMode.NL); // NL leases conflict with none: permits are counted instead
        diary.oneOf(who, PERMITS);
        try (Acquisition acquisition =
                holdfast.semaphore(LockNaming.semaphore(), PERMITS).ttl(TTL).tryAcquire(WAIT)) {
            if (acquisition instanceof Acquisition.Held held) {
                Lease lease = held.lease();
                lease.onLost(loss -> diary.lost(who));
                diary.got(who, 0, validUntil(lease::remaining));
                hold(LONGEST_HOLD_OF_PERMIT_MILLIS);
                end(who, lease.isHeld());
            } else {
                diary.gaveUp(who);
            }
        } catch (HoldfastException e) {
            diary.gaveUp(who);
        }
    }

    /** Acquires two of the busy locks, which other workers acquire one by one. */
    private void several() throws InterruptedException {
        List<DistributedLock> locks = List.of(lock(0), lock(1));
        List<AttemptId> all =
                locks.stream().map(lock -> who(lock.name(), LockMode.EX)).toList();
        all.forEach(diary::together);
        try (MultiAcquisition acquisition = holdfast.locks(locks).tryAcquire(WAIT)) {
            if (acquisition instanceof MultiAcquisition.Held held) {
                MultiLease leases = held.leases();
                leases.onLost(loss -> all.forEach(diary::lost));
                all.forEach(who -> diary.got(who, leases.fencingToken(who.lock()), validUntil(leases::remaining)));
                hold(LONGEST_HOLD_MILLIS);
                boolean isHeld = leases.isHeld();
                all.forEach(who -> end(who, isHeld));
            } else {
                all.forEach(diary::gaveUp);
            }
        } catch (HoldfastException e) {
            all.forEach(diary::gaveUp);
        }
    }

    /**
     * Returns a lock without local hand-over: a hand-over may pass waiters at the nodes for a few turns, and their
     * order is checked.
     */
    private DistributedLock lock(int index) {
        return holdfast.lock(LockNaming.lock(ClientSettings.Kind.HOLDFAST, index))
                .ttl(TTL)
                .localHandOver(false);
    }

    /** Does a piece of work once. All processes number the pieces of work by the clock that they share. */
    private void once() throws InterruptedException {
        String work = LockNaming.work(Diary.now() / WORK_NANOS - random.nextInt(2));
        AttemptId who = who(work, LockMode.EX);
        long[] untilNanos = {0};
        try {
            OnceGuard.Outcome<Boolean> outcome = holdfast.once(work, SEAL_RETENTION)
                    .ttl(TTL)
                    .call(WAIT_FOR_WORK, lease -> {
                        lease.onLost(loss -> diary.lost(who));
                        diary.got(who, lease.fencingToken(), validUntil(lease::remaining));
                        hold(LONGEST_HOLD_MILLIS);
                        end(who, lease.isHeld());
                        untilNanos[0] = Diary.now() + SEAL_RETENTION.toNanos();
                        return true;
                    });
            if (outcome instanceof OnceGuard.Done<Boolean> done) {
                if (done.seal() == SealOutcome.SEALED) {
                    diary.sealed(who, untilNanos[0]);
                }
            } else {
                diary.gaveUp(who);
            }
        } catch (LeaseLostException e) {
            diary.lost(who);
        } catch (HoldfastException e) {
            diary.gaveUp(who);
        }
    }

    private void end(AttemptId who, boolean isHeld) {
        if (isHeld) {
            diary.releasing(who);
        } else {
            diary.lost(who);
        }
    }

    /**
     * Returns when the lease ends. As for single locks, the method reads the clock first, and the client gives up a
     * lease a hundredth of its ttl early.
     */
    private static long validUntil(Supplier<Duration> remaining) {
        long now = Diary.now();
        return now + remaining.get().toNanos() - TTL.toNanos() / 100;
    }

    private void hold(int longestMillis) throws InterruptedException {
        Thread.sleep(random.nextInt(longestMillis));
    }
}
