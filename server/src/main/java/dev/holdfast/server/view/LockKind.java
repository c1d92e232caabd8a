package dev.holdfast.server.view;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockStatus;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The use of a lock, as far as its name, its value, its seal and the modes of its leases show it. */
enum LockKind {
    /** A lock without a sign of another use. */
    LOCK,
    /** A slot of a semaphore, by its name: {@code NAME#NUMBER}. */
    SEMAPHORE_SLOT,
    /** The lock at which the waiters of a semaphore queue, by its name: {@code NAME#gate}. */
    SEMAPHORE_GATE,
    /** The lock of an election, by the record that its leader writes into the value. */
    ELECTION,
    /** The lock of a once-guard, by its seal; before the seal it looks like any other lock. */
    ONCE_GUARD,
    /** An upper level of a tree of locks, by the intention mode of a holder or a waiter, CR or CW. A client holds such a lock to lock parts below it. */
    TREE;

    private static final Pattern PLACE = Pattern.compile("(?s).+#(?:(gate)|0|[1-9][0-9]{0,2})");

    /** The election's record: a mark, a line of numbers, and the line of the leader's name. Core's {@code ElectionRecord} has the whole form. */
    private static final Pattern ELECTION_RECORD =
            Pattern.compile("holdfast-election 1\n\\d{1,16} \\d{1,15} \\S{1,150}\n([^\n]{1,100})\n.*", Pattern.DOTALL);

    static LockKind of(LockStatus status) {
        if (status.seal().isPresent()) {
            return ONCE_GUARD;
        }
        if (candidate(status) != null) {
            return ELECTION;
        }
        Matcher place = PLACE.matcher(status.name());
        if (place.matches()) {
            return place.group(1) == null ? SEMAPHORE_SLOT : SEMAPHORE_GATE;
        }
        return modes(status).anyMatch(mode -> mode == LockMode.CR || mode == LockMode.CW) ? TREE : LOCK;
    }

    private static Stream<LockMode> modes(LockStatus status) {
        return Stream.concat(
                status.holders().stream().map(LockStatus.Holder::mode),
                status.waiters().stream().map(LockStatus.Waiter::mode));
    }

    /** Returns the name that the leader of an election has written; null if the lock is not an election's. */
    static @Nullable String candidate(LockStatus status) {
        Matcher record = ELECTION_RECORD.matcher(status.value().orElse(""));
        return record.matches() ? record.group(1) : null;
    }
}
