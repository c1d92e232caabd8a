package dev.holdfast.spring.aspect;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * A guard that rolls a transaction back if the lock around it was lost before the commit, unless the method {@linkplain
 * dev.holdfast.spring.OnLost#IGNORE ignores} the loss. It is a last check and proves nothing: the lock can be lost while the database commits, which
 * is what fencing tokens are for. Thread-safe.
 */
public final class CommitGuard implements TransactionExecutionListener {

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        LockedCall.ensureHeld();
    }
}
