package dev.holdfast.spring;

import dev.holdfast.lock.LockMode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * A method that runs under a lock, which is acquired before the method's transaction and body, and released after both.
 *
 * <pre>{@code
 * @Locked(name = "orders", key = "#order.id", waitFor = "5s")
 * @Transactional
 * public void ship(Order order, Lease lease) { ... }      // the lease comes from the aspect; callers pass null
 *
 * @Scheduled(cron = "0 0 3 * * *")
 * @LockedJob(name = "nightly", atMost = "2h")
 * public void nightly() { ... }                            // in one instance of many
 * }</pre>
 *
 * <p>A parameter of type {@link dev.holdfast.lock.Lease}, if there is one, receives the lease; {@link dev.holdfast.Holdfast#currentLease()} returns
 * it on the thread of the call. If the thread already holds the lock, the call fails at once with a {@link dev.holdfast.lock.SelfDeadlockException}, unless it
 * is {@link #reentrant}.
 *
 * <p>The annotation works through Spring's proxies, so it has no effect on calls within one object. The start fails if a proxy cannot intercept the
 * method: private, final and static methods, final classes. It also fails for combinations that cannot keep the lock's promise: {@code @Async} on the
 * same method, or a primitive result with {@link OnBusy#SKIP}. It also fails for results that stand for later work, such as a {@code Stream} or a
 * {@code Callable}. A result of type
 * {@code Mono}, {@code Flux} or {@link java.util.concurrent.CompletionStage} holds the lock until it completes. A Kotlin function that suspends holds the lock
 * until its coroutine has ended.
 *
 * <p>Durations have Spring's format ({@code 500ms}, {@code 5s}, {@code 2m}, {@code 1h}, or ISO such as {@code PT5S}); a number alone is seconds. All attributes except the key
 * may have placeholders, {@code ${...}}.
 *
 * @see OnBusy what a call does when it does not acquire the lock
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Locked {

    /** Returns the name of the lock, as {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /** Returns the name of the lock, the same for every call; with a {@link #key}, the part before the colon. It is required. */
    @AliasFor("value")
    String name() default "";

    /**
     * Returns the part of the lock's name that differs between calls, in SpEL over the arguments: {@code #id}, {@code #order.id}, {@code #a0}. Also
     * available are {@code #root.method}, {@code #root.target} and {@code @bean}. The lock's name is then {@code name:key}. A call fails if its key
     * is null or empty.
     * The key's type is a primitive or its box, a {@link CharSequence}, a {@link java.util.UUID}, an enum, a type of {@code java.time}, a record, list or
     * set of these, or a type with a {@link LockKeyConverter}. Any other type is rejected at the start if the declaration shows it, and otherwise at the call.
     * If a variable, a property, a method or a bean does not exist, the start fails.
     */
    String key() default "";

    /**
     * Returns the maximum time that a call waits in the queue. By default a call does not wait with {@link OnBusy#FAIL} and {@link OnBusy#SKIP}; with
     * {@link OnBusy#WAIT} it waits for {@code holdfast.locked.wait-for}, 30 s unless set.
     */
    String waitFor() default "";

    /**
     * Returns how long the nodes keep the lock when this process dies, 50 ms to 24 h; by default {@code holdfast.ttl}. The lease is extended while
     * the method runs.
     */
    String ttl() default "";

    /**
     * Returns the maximum time that a call holds the lock, 50 ms or more, by default {@code holdfast.max-hold}. The lease is then lost for the reason
     * {@link dev.holdfast.lock.Loss.Reason#MAX_HOLD}, and {@link #onLost} applies.
     */
    String maxHold() default "";

    /** Returns the mode of the lock, such as {@link LockMode#PR} for readers that share it. */
    LockMode mode() default LockMode.EX;

    /** Returns what a call does when it does not acquire the lock in time. */
    OnBusy onBusy() default OnBusy.WAIT;

    /**
     * Returns the minimum time that the lock stays held, counted from when it was acquired. The lock stays held even if the method is faster, or the
     * application stops or dies. This setting is meant for scheduled methods of instances whose clocks differ. No thread waits for that time. At most 24 h; if
     * the time is longer than the ttl, {@code holdfast.restart-quarantine} must be at least as long.
     */
    String atLeast() default "";

    /** Returns what happens to a call whose lease is lost while it runs. */
    OnLost onLost() default OnLost.INTERRUPT;

    /**
     * Returns whether a call runs under the lease that an outer call of the same thread holds on the same lock, in the same mode or in {@link
     * LockMode#EX}. The outer call then releases the lease. By default such a call fails at once. The method must return a result that is complete on return.
     */
    boolean reentrant() default false;
}
