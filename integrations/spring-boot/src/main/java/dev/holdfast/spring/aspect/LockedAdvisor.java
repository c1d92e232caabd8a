package dev.holdfast.spring.aspect;

import dev.holdfast.spring.LeaderOnly;
import dev.holdfast.spring.Locked;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.core.Ordered;

/**
 * What Spring's proxies are told: which methods, and where among the other aspects. Unless set otherwise, before all that have no order of their
 * own, {@code @Transactional} among them: outside of it, so the transaction has ended when the lock is released.
 */
public final class LockedAdvisor extends DefaultPointcutAdvisor {

    /** Where {@link Locked} is unless set: a little before the last, which transactions are. */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1_000;

    private static final long serialVersionUID = 1;

    private LockedAdvisor(Pointcut pointcut, Advice advice, int order) {
        super(pointcut, advice);
        setOrder(order);
    }

    /** That of {@link Locked}. */
    public static LockedAdvisor ofLocked(LockedInterceptor interceptor, int order) {
        return new LockedAdvisor(new AnnotationMatchingPointcut(null, Locked.class, true), interceptor, order);
    }

    /** That of {@link LeaderOnly}, of methods and of classes; just outside of {@link Locked}, so that only a leader asks for the lock. */
    public static LockedAdvisor ofLeaderOnly(LeaderOnlyInterceptor interceptor, int order) {
        Pointcut pointcut = new ComposablePointcut(new AnnotationMatchingPointcut(LeaderOnly.class, true))
                .union((Pointcut) new AnnotationMatchingPointcut(null, LeaderOnly.class, true));
        return new LockedAdvisor(pointcut, interceptor, order == Integer.MIN_VALUE ? order : order - 1);
    }
}
