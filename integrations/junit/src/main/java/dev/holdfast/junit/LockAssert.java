package dev.holdfast.junit;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.node.OwnerId;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Says what a lock should be. A holder is one with a majority of votes; what fewer nodes than a majority answer proves nothing, and fails. */
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
            throw new AssertionError("interrupted while the nodes were asked for " + actual.name(), e);
        }
        if (!status.hasQuorum()) {
            failWithMessage(
                    "Expected to learn of lock '%s', but only %s of %s nodes answered",
                    actual.name(), status.answered(), status.nodes().size());
        }
        return status;
    }

    private static List<LockStatus.Holder> holders(LockStatus status) {
        return status.holders().stream().filter(LockStatus.Holder::hasMajority).toList();
    }

    private static String name(String owner) {
        return OwnerId.parse(owner + "/0")
                .or(() -> OwnerId.parse(owner))
                .map(OwnerId::clientName)
                .orElse(owner);
    }

    private static List<String> names(LockStatus status) {
        return holders(status).stream().map(holder -> name(holder.owner())).toList();
    }

    /** A majority has granted it to somebody. */
    public LockAssert isHeld() {
        LockStatus status = status();
        if (holders(status).isEmpty()) {
            failWithMessage("Expected lock '%s' to be held, but nobody holds it", actual.name());
        }
        return this;
    }

    /** Nobody has a majority of its votes. */
    public LockAssert isFree() {
        LockStatus status = status();
        if (!holders(status).isEmpty()) {
            failWithMessage("Expected lock '%s' to be free, but it is held by %s", actual.name(), names(status));
        }
        return this;
    }

    /** Held by a client of this name, as {@code HoldfastBuilder.clientName} sets it. */
    public LockAssert isHeldBy(String clientName) {
        LockStatus status = status();
        if (!names(status).contains(clientName)) {
            failWithMessage(
                    "Expected lock '%s' to be held by '%s', but it is held by %s",
                    actual.name(), clientName, names(status));
        }
        return this;
    }

    /** Held with this fencing token. */
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

    /** Held in this mode by somebody. */
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

    /** So many stand in line. */
    public LockAssert hasWaiters(int count) {
        int waiters = status().waiters().size();
        if (waiters != count) {
            failWithMessage("Expected lock '%s' to have %s waiters, but it has %s", actual.name(), count, waiters);
        }
        return this;
    }

    /** Its work was declared done. */
    public LockAssert isSealed() {
        if (status().seal().isEmpty()) {
            failWithMessage("Expected lock '%s' to be sealed, but it is not", actual.name());
        }
        return this;
    }

    /** Its work was not declared done. */
    public LockAssert isNotSealed() {
        status().seal()
                .ifPresent(seal -> failWithMessage(
                        "Expected lock '%s' not to be sealed, but %s sealed it", actual.name(), seal.displayBy()));
        return this;
    }

    /** What its holder, or the last one, has left. */
    public LockAssert hasValue(String value) {
        String found = status().value().orElse(null);
        if (!value.equals(found)) {
            failWithMessage("Expected lock '%s' to have the value '%s', but it has %s", actual.name(), value, found);
        }
        return this;
    }
}
