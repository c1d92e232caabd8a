package dev.holdfast.cdi;

import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A scheduled method that runs in one instance of many: {@link Locked} with the settings of a scheduled job.
 *
 * <pre>{@code
 * @Schedule(hour = "3")
 * @LockedJob(name = "nightly", atMost = "2h", atLeast = "10s")
 * void nightly() { ... }
 * }</pre>
 *
 * <p>A call is skipped when another instance holds the lock. The lock stays held for {@link #atLeast}, so an instance whose clock is late does not
 * run the job again. A call waits for up to a quarter of {@link #atLeast}, at most 1 s, in case too few nodes answer right away. Everything else is
 * as for {@link Locked}.
 */
@InterceptorBinding
@Target({ElementType.METHOD, ElementType.TYPE}) // on a type only for the interceptor; any other is rejected
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface LockedJob {

    /** Returns the name of the lock, as {@link #name}. */
    @Nonbinding
    String value() default "";

    /** Returns the name of the lock, the same in all instances. It is required. */
    @Nonbinding
    String name() default "";

    /**
     * Returns the maximum time of a run, 50 ms or more. After that time, the lock is released, and the thread of the run is interrupted. So a run
     * that hangs does not block the next ones for ever.
     */
    @Nonbinding
    String atMost();

    /**
     * Returns the minimum time that the lock stays held, up to 24 h, as {@link Locked#atLeast}. The time must be longer than the difference between
     * the clocks of the instances, and shorter than the interval between two runs. In Quarkus, the default is half of the shortest interval by the
     * method's cron expressions, 10 s at most. Other schedules, and all schedules in other containers, have no default: choose a little less than the
     * interval.
     */
    @Nonbinding
    String atLeast() default "";

    /** Returns how long the nodes keep the lock when this process dies, as {@link Locked#ttl}. Runs that are due in that time are skipped. */
    @Nonbinding
    String ttl() default "";
}
