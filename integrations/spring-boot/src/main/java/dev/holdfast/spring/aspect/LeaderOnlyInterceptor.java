package dev.holdfast.spring.aspect;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** An interceptor that runs calls of {@link dev.holdfast.spring.LeaderOnly} methods while this application leads, and skips them otherwise. Thread-safe. */
public final class LeaderOnlyInterceptor implements MethodInterceptor {

    private final LeaderOnlyMethods methods;
    private final Elections elections;

    public LeaderOnlyInterceptor(LeaderOnlyMethods methods, Elections elections) {
        this.methods = methods;
        this.elections = elections;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        if (target == null || invocation.getMethod().getDeclaringClass() == Object.class) {
            return invocation.proceed();
        }
        Class<?> targetClass = AopUtils.getTargetClass(target);
        Method called = LockedCall.method(invocation.getMethod(), targetClass);
        if (!methods.has(called, targetClass)) {
            return invocation.proceed();
        }
        LeaderOnlyMethods.LeaderOnlyMethod method = methods.of(called, targetClass);
        return elections.candidate(method.election()).call(invocation, method.result());
    }
}
