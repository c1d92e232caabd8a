package dev.holdfast.torture.client;

import dev.holdfast.testkit.history.AttemptId;
import dev.holdfast.testkit.history.ResourceCopy;
import java.io.IOException;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.Random;

/** The work of a worker while it believes that it holds the lock. */
final class CriticalSection {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LONGEST_SLICE_NANOS = 100 * NANOS_PER_MILLI;
    private static final long LONG_HOLD_NANOS = 300 * NANOS_PER_MILLI;

    private final AttemptId who;
    private final Wish wish;
    private final Contender.Holding holding;
    private final Diary diary;
    private final ResourceRow row;
    private final HaltPoint haltPoint;
    private final Random random;
    private final boolean keepsValues;
    private long validUntilNanos;
    private long values;

    CriticalSection(
            AttemptId who,
            Wish wish,
            Contender.Holding holding,
            Diary diary,
            ResourceRow row,
            HaltPoint haltPoint,
            Random random,
            boolean keepsValues) {
        this.who = who;
        this.wish = wish;
        this.holding = holding;
        this.diary = diary;
        this.row = row;
        this.haltPoint = haltPoint;
        this.random = random;
        this.keepsValues = keepsValues;
    }

    void run() throws InterruptedException, IOException, SQLException {
        validUntilNanos = holding.validUntilNanos();
        diary.got(who, holding.token(), validUntilNanos);
        if (keepsValues && wish.mode().bearsToken()) {
            diary.read(who, ValueText.of(holding.value()));
        }
        int rounds = wish.hold().toNanos() > LONG_HOLD_NANOS ? 3 : 1;
        for (int i = 0; i < rounds && look(); i++) {
            if (random.nextInt(10) == 0) {
                holding.extend();
            }
            if (keepsValues && wish.writes() && random.nextInt(3) == 0) {
                writeValue();
            }
            act(wish.hold().toNanos() / rounds);
        }
        if (wish.abandon()) {
            think(Long.MAX_VALUE);
        }
        if (look()) {
            diary.releasing(who);
        } else {
            diary.lost(who);
        }
        if (holding.release() && keepsValues) {
            diary.released(who);
        }
    }

    /** Leaves a value for later holders. */
    private void writeValue() throws InterruptedException {
        long number = ++values;
        diary.writing(who, number);
        if (holding.writeValue(new ValueText(holding.token(), number).text())) {
            diary.written(who, number);
        }
    }

    /** Reads the counters, thinks, checks the lease, and writes, as a careful program does. */
    private void act(long nanos) throws InterruptedException, IOException, SQLException {
        if (!wish.writes()) {
            think(nanos);
            return;
        }
        boolean guards = holding.token() > 0;
        long read = row.read(wish.lock());
        OptionalLong guardedRead = guards ? row.guardedRead(wish.lock(), holding.token()) : OptionalLong.empty();
        think(nanos);
        if (!look()) {
            return;
        }
        haltPoint.pass();
        diary.wrote(who, ResourceCopy.UNGUARDED, row.write(wish.lock(), read + 1, who.toString()));
        if (guards) {
            writeGuarded(guardedRead);
        }
    }

    private void writeGuarded(OptionalLong read) throws SQLException {
        ResourceRow.Written written = read.isEmpty()
                ? null
                : row.guardedWrite(wish.lock(), read.getAsLong() + 1, who.toString(), holding.token());
        if (written == null) {
            diary.refused(who);
        } else {
            diary.wrote(who, ResourceCopy.GUARDED, written);
        }
    }

    /** Lets this much time pass, or the remaining time of the lease if that is shorter. */
    private void think(long nanos) throws InterruptedException {
        long start = Diary.now();
        long left = nanos;
        while (left > 0 && look()) {
            Thread.sleep(Math.min(left, LONGEST_SLICE_NANOS) / NANOS_PER_MILLI + 1);
            left = nanos - (Diary.now() - start);
        }
    }

    /** Returns whether the lock is held, and records an extension that it sees. */
    private boolean look() {
        long until = holding.validUntilNanos();
        if (!holding.isHeld()) {
            return false;
        }
        if (until - validUntilNanos > NANOS_PER_MILLI) {
            validUntilNanos = until;
            diary.extended(who, until);
        }
        return true;
    }
}
