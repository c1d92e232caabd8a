package dev.holdfast.cdi.runtime;

import dev.holdfast.cdi.LockedJob;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.AroundTimeout;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import org.jspecify.annotations.Nullable;

/** The interceptor of {@link LockedJob} methods. It runs outside that of transactions, whose priority is 200. */
@Interceptor
@Priority(LockedCalls.PRIORITY)
@LockedJob(atMost = "")
public class LockedJobInterceptor {

    private final LockedCalls calls;

    @Inject
    public LockedJobInterceptor(LockedCalls calls) {
        this.calls = calls;
    }

    @AroundInvoke
    @Nullable
    Object call(InvocationContext context) throws Exception {
        return calls.call(context);
    }

    /** Runs a method that the timer of an enterprise bean calls. */
    @AroundTimeout
    @Nullable
    Object timeout(InvocationContext context) throws Exception {
        return calls.call(context);
    }
}
