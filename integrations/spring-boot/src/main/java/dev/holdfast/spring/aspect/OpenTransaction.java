package dev.holdfast.spring.aspect;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * A warning about calls of locked methods within a transaction that their caller has begun. The lock is released before the transaction commits, so
 * the next holder does not see the changes. It warns once for each method. Thread-safe.
 */
class OpenTransaction {

    private static final Log LOG = LogFactory.getLog(OpenTransaction.class);

    private final Set<LockedMethod> told = ConcurrentHashMap.newKeySet();

    /** Returns an instance that checks for transactions, if Spring's transactions are on the class path. */
    static OpenTransaction ifKnown() {
        boolean known = ClassUtils.isPresent(
                "org.springframework.transaction.support.TransactionSynchronizationManager",
                OpenTransaction.class.getClassLoader());
        return known ? new Looking() : new OpenTransaction();
    }

    boolean isOpen() {
        return false;
    }

    /** Returns whether the method leaves the transaction of its caller, and commits its own work before it returns. */
    boolean leavesIt(Method method, Class<?> targetClass) {
        return false;
    }

    void warnOf(LockedMethod method, Method called, Class<?> targetClass) {
        if (isOpen() && told.add(method) && !leavesIt(called, targetClass)) {
            LOG.warn(method.traps()
                    .problem(
                            "is called within a transaction, which commits after the lock was released, so the next holder does not see the changes",
                            "Acquire the lock outside, in the method that begins the transaction")
                    .getMessage());
        }
    }

    private static final class Looking extends OpenTransaction {

        private static final TransactionAttributeSource ATTRIBUTES = new AnnotationTransactionAttributeSource(false);

        /** Returns whether a transaction has still to commit. While listeners of its commit run, no synchronizations are active. */
        @Override
        boolean isOpen() {
            return TransactionSynchronizationManager.isActualTransactionActive()
                    && TransactionSynchronizationManager.isSynchronizationActive();
        }

        @Override
        boolean leavesIt(Method method, Class<?> targetClass) {
            TransactionAttribute own = ATTRIBUTES.getTransactionAttribute(method, targetClass);
            return own != null
                    && (own.getPropagationBehavior() == TransactionDefinition.PROPAGATION_REQUIRES_NEW
                            || own.getPropagationBehavior() == TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        }
    }
}
