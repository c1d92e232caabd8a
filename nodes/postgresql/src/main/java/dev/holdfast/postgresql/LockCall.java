package dev.holdfast.postgresql;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A request as the function {@code serve} takes it, and its answer as that function returns it.
 *
 * @param kind {@code A} for ACQUIRE, {@code R} for RELEASE
 * @param base the lower bound of fences
 */
record LockCall(
        String kind,
        long base,
        String resource,
        String owner,
        long ttlMillis,
        @Nullable Long a,
        @Nullable Long b,
        @Nullable Long c,
        @Nullable Long d,
        boolean flag1,
        boolean flag2,
        @Nullable String sealedBy,
        @Nullable LockValue value) {

    static LockCall of(AcquireRequest request, long base) {
        return new LockCall(
                "A",
                base,
                request.resource(),
                request.owner().toString(),
                request.ttlMillis(),
                (long) request.mode().ordinal(),
                request.waiterTtlMillis(),
                (long) request.tokens(),
                request.floor() == 0 ? null : (Long) request.floor(),
                request.queue(),
                request.heal(),
                null,
                request.value());
    }

    static LockCall of(ReleaseRequest request, long base) {
        Seal seal = request.seal();
        return new LockCall(
                "R",
                base,
                request.resource(),
                request.owner().toString(),
                0,
                request.buryMillis(),
                seal == null ? null : seal.agoMillis(),
                seal == null ? null : seal.remainingMillis().orElseThrow(),
                null,
                false,
                false,
                seal == null ? null : seal.by(),
                request.value());
    }

    boolean isAcquire() {
        return kind.equals("A");
    }

    /** Returns whether the request can share a statement with others if its resource is quiet; {@code serve} says which requests these are. */
    boolean isPlain() {
        boolean simple = isAcquire() ? a != null && a > 0 && d == null : a != null && a == 0 && c == null;
        return simple && value == null;
    }

    /** Returns whether the request only ends a vote. If its resource is quiet, the commit then does not wait for the disk. */
    boolean isPlainRelease() {
        return !isAcquire() && isPlain();
    }

    static LockMode mode(int ordinal) {
        return LockMode.values()[ordinal];
    }

    static AcquireAnswer acquireAnswer(@Nullable String[] row) {
        return switch (text(row, 0)) {
            case "G" ->
                new AcquireAnswer.Granted(
                        number(row, 1),
                        row[2] == null ? null : new Ticket(number(row, 2), text(row, 3)),
                        number(row, 4),
                        row[5] == null ? null : ValueText.value(number(row, 5), number(row, 6), text(row, 7)),
                        number(row, 8));
            case "Q" ->
                new AcquireAnswer.Queued(
                        number(row, 3),
                        number(row, 1),
                        (int) number(row, 2),
                        blocker(row, 4),
                        number(row, 6),
                        number(row, 7));
            case "D" ->
                new AcquireAnswer.Denied(
                        number(row, 2),
                        AcquireAnswer.Denied.Reason.valueOf(text(row, 1)),
                        blocker(row, 3),
                        number(row, 5),
                        number(row, 6));
            case "S" -> new AcquireAnswer.Sealed(new Seal(text(row, 1), number(row, 2), number(row, 3)));
            default -> throw new IllegalStateException("answer of kind " + row[0]);
        };
    }

    static ReleaseAnswer releaseAnswer(@Nullable String[] row) {
        return text(row, 0).equals("R") ? new ReleaseAnswer.Released() : new ReleaseAnswer.Absent();
    }

    private static @Nullable Blocker blocker(@Nullable String[] row, int at) {
        return row[at] == null
                ? null
                : new Blocker(Blocker.Kind.HOLDFAST, text(row, at), OptionalLong.of(number(row, at + 1)));
    }

    private static String text(@Nullable String[] row, int at) {
        String text = row[at];
        if (text == null) {
            throw new IllegalStateException("answer without field " + at);
        }
        return text;
    }

    private static long number(@Nullable String[] row, int at) {
        return Long.parseLong(text(row, at));
    }
}
