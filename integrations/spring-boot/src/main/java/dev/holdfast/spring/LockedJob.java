package dev.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * A scheduled method that runs in one instance of many: {@link Locked} with the settings of a scheduled job.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 3 * * *")
 * @LockedJob(name = "nightly", atMost = "2h")
 * public void nightly() { ... }
 * }</pre>
 *
 * <p>A call is skipped when another instance holds the lock. The lock stays held for {@link #atLeast}, so an instance whose clock is late does not
 * run the job again. A call waits for up to a quarter of {@link #atLeast}, at most 1 s, in case too few nodes answer right away. Everything else is
 * as for {@link Locked}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Locked(onBusy = OnBusy.SKIP)
public @interface LockedJob {

    /** Returns the name of the lock, as {@link #name}. */
    @AliasFor(annotation = Locked.class, attribute = "name")
    String value() default "";

    /** Returns the name of the lock, the same in all instances. It is required. */
    @AliasFor(annotation = Locked.class, attribute = "name")
    String name() default "";

    /**
     * Returns the maximum time of a run, 50 ms or more. After that time, the lock is released, and the thread of the run is interrupted. So a run
     * that hangs does not block the next ones for ever.
     */
    @AliasFor(annotation = Locked.class, attribute = "maxHold")
    String atMost();

    /**
     * Returns the minimum time that the lock stays held, up to 24 h, as {@link Locked#atLeast}. The time must be longer than the difference between
     * the clocks of the instances, and shorter than the interval between two runs. The default is half of the shortest interval by the method's cron
     * expressions, 10 s at most. Other schedules have no default, because their runs in different instances are not at the same time: choose a little
     * less than the interval.
     */
    @AliasFor(annotation = Locked.class, attribute = "atLeast")
    String atLeast() default "";

    /** Returns how long the nodes keep the lock when this process dies, as {@link Locked#ttl}. Runs that are due in that time are skipped. */
    @AliasFor(annotation = Locked.class, attribute = "ttl")
    String ttl() default "";
}
