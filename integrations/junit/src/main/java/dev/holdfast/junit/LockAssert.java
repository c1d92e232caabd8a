package dev.holdfast.junit;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockStatus;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Assertions about a lock. A holder is a client with a majority of the votes. An assertion fails if fewer nodes than a majority answer. */
public final class LockAssert extends AbstractAssert<LockAssert, DistributedLock> {

    LockAssert(DistributedLock lock) {
        super(lock, LockAssert.class);
    }

    private LockStatus status() {
        isNotNull();
        LockStatus status;
        try {
            status = actual.status();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while reading the status of " + actual.name(), e);
        }
        if (!status.hasQuorum()) {
            failWithMessage(
                    "Expected to read the status of lock '%s', but only %s of %s nodes answered",
                    actual.name(), status.answered(), status.nodes().size());
        }
        return status;
    }

    private static List<LockStatus.Holder> holders(LockStatus status) {
        return status.holders().stream().filter(LockStatus.Holder::hasMajority).toList();
    }

    private static List<String> names(LockStatus status) {
        return holders(status).stream().map(LockStatus.Holder::name).toList();
    }

    /** Verifies that a client holds the lock. */
    public LockAssert isHeld() {
        LockStatus status = status();
        if (holders(status).isEmpty()) {
            failWithMessage("Expected lock '%s' to be held, but no client holds it", actual.name());
        }
        return this;
    }

    /** Verifies that no client holds the lock. */
    public LockAssert isFree() {
        LockStatus status = status();
        if (!holders(status).isEmpty()) {
            failWithMessage("Expected lock '%s' to be free, but it is held by %s", actual.name(), names(status));
        }
        return this;
    }

    /** Verifies that the lock is held under this label, or by a client with this name, as set by {@code HoldfastBuilder.clientName}. */
    public LockAssert isHeldBy(String name) {
        LockStatus status = status();
        if (holders(status).stream()
                .noneMatch(
                        holder -> holder.name().equals(name) || holder.owner().startsWith(name + "~"))) {
            failWithMessage(
                    "Expected lock '%s' to be held by '%s', but it is held by %s", actual.name(), name, names(status));
        }
        return this;
    }

    /** Verifies that the lock is held with this fencing token. */
    public LockAssert isHeldWithToken(long token) {
        LockStatus status = status();
        List<Long> tokens =
                holders(status).stream().map(LockStatus.Holder::token).toList();
        if (!tokens.contains(token)) {
            failWithMessage(
                    "Expected lock '%s' to be held with token %s, but its tokens are %s", actual.name(), token, tokens);
        }
        return this;
    }

    /** Verifies that a client holds the lock in this mode. */
    public LockAssert isHeldIn(LockMode mode) {
        LockStatus status = status();
        List<LockMode> modes =
                holders(status).stream().map(LockStatus.Holder::mode).toList();
        if (!modes.contains(mode)) {
            failWithMessage(
                    "Expected lock '%s' to be held in mode %s, but its modes are %s", actual.name(), mode, modes);
        }
        return this;
    }

    /** Verifies that this many waiters are in the queue. */
    public LockAssert hasWaiters(int count) {
        int waiters = status().waiters().size();
        if (waiters != count) {
            failWithMessage("Expected lock '%s' to have %s waiters, but it has %s", actual.name(), count, waiters);
        }
        return this;
    }

    /** Verifies that the lock is sealed: its work was declared done. */
    public LockAssert isSealed() {
        if (status().seal().isEmpty()) {
            failWithMessage("Expected lock '%s' to be sealed, but it is not", actual.name());
        }
        return this;
    }

    /** Verifies that the lock is not sealed: its work was not declared done. */
    public LockAssert isNotSealed() {
        status().seal()
                .ifPresent(seal -> failWithMessage(
                        "Expected lock '%s' not to be sealed, but %s sealed it", actual.name(), seal.displayBy()));
        return this;
    }

    /** Verifies that the lock has this value, written by its current or last holder. */
    public LockAssert hasValue(String value) {
        String found = status().value().orElse(null);
        if (!value.equals(found)) {
            failWithMessage("Expected lock '%s' to have the value '%s', but it has %s", actual.name(), value, found);
        }
        return this;
    }
}
