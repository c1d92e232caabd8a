package dev.holdfast.spring.aspect;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Rolls a transaction back that would commit after the lock around it was lost, unless that loss is {@linkplain dev.holdfast.spring.OnLost#IGNORE
 * ignored}. A last look, not a proof: the lock can be lost while the database commits, which is what fencing tokens are for. Thread-safe.
 */
public final class CommitGuard implements TransactionExecutionListener {

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        LockedCall.ensureHeld();
    }
}
