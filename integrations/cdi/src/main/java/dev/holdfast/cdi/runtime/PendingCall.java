package dev.holdfast.cdi.runtime;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import dev.holdfast.locked.CallTerms;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call of a locked method that has not acquired its lock. The method may run several times, under one lease each. */
public interface PendingCall {

    /** Returns the lock of the call. */
    DistributedLock lock();

    /** Returns the maximum time that the call waits. */
    Duration waitFor();

    /** Returns the terms of the call. */
    CallTerms terms();

    /** Returns the result of a skipped call, and throws the reason if the call is not to be skipped. */
    @Nullable
    Object skippedOrRefused(Refusal refusal);

    /** Calls the method, with the lease as the argument of its parameter for it. */
    @Nullable
    Object proceed(Lease lease) throws Exception;
}
