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
 * The advisors for Spring's proxies: which methods they apply to, and their order among the aspects. By default they come before all aspects without
 * an order, such as {@code @Transactional}. The aspect is thus outside of the transaction, which has ended when the lock is released.
 */
public final class LockedAdvisor extends DefaultPointcutAdvisor {

    /** The default order of {@link Locked}, a little before the lowest precedence, which transactions have. */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1_000;

    private static final long serialVersionUID = 1;

    private LockedAdvisor(Pointcut pointcut, Advice advice, int order) {
        super(pointcut, advice);
        setOrder(order);
    }

    /** Creates the advisor of {@link Locked}. */
    public static LockedAdvisor ofLocked(LockedInterceptor interceptor, int order) {
        return new LockedAdvisor(new AnnotationMatchingPointcut(null, Locked.class, true), interceptor, order);
    }

    /** Creates the advisor of {@link LeaderOnly} on methods and classes. It is just outside of {@link Locked}, so that only a leader acquires the lock. */
    public static LockedAdvisor ofLeaderOnly(LeaderOnlyInterceptor interceptor, int order) {
        Pointcut pointcut = new ComposablePointcut(new AnnotationMatchingPointcut(LeaderOnly.class, true))
                .union((Pointcut) new AnnotationMatchingPointcut(null, LeaderOnly.class, true));
        return new LockedAdvisor(pointcut, interceptor, order == Integer.MIN_VALUE ? order : order - 1);
    }
}
