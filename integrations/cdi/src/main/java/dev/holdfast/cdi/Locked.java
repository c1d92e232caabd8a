package dev.holdfast.cdi;

import dev.holdfast.lock.LockMode;
import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method that runs under a lock, which is acquired before the method's transaction and body, and released after both.
 *
 * <pre>{@code
 * @Locked(name = "orders", key = "order.id", waitFor = "5s")
 * @Transactional
 * public void ship(Order order, Lease lease) { ... }      // the lease comes from the interceptor; callers pass null
 * }</pre>
 *
 * <p>A parameter of type {@link dev.holdfast.lock.Lease}, if there is one, receives the lease; {@link dev.holdfast.Holdfast#currentLease()} returns
 * it on the thread of the call. If the thread already holds the lock, the call fails at once with a {@link dev.holdfast.lock.SelfDeadlockException},
 * unless it is {@link #reentrant}.
 *
 * <p>The annotation is an interceptor binding for methods of beans. Quarkus intercepts calls within one object too. Other containers intercept only
 * calls from outside the object: with them, a method that calls a locked method of its own object runs it without the lock.
 *
 * <p>The deployment (in Quarkus, the build) fails if no call would be intercepted: a private or static method, a class that is not a bean,
 * the annotation on a class. It also fails for combinations that cannot keep the lock's promise: a result that is used after the method has returned
 * (a {@code Multi}, a {@code Stream}), a primitive result with {@link OnBusy#SKIP}. A result of type {@link java.util.concurrent.CompletionStage} holds
 * the lock until it completes. So does a {@code Uni}, but only Quarkus accepts it.
 *
 * <p>Durations are {@code 500ms}, {@code 5s}, {@code 2m}, {@code 1h}, or ISO such as {@code PT5S}; a number alone is seconds. All texts except the
 * key may have expressions, <code>${property:default}</code>. In Quarkus, the names of settings begin with {@code quarkus.holdfast}.
 *
 * @see OnBusy what a call does when it does not acquire the lock
 */
@InterceptorBinding
@Target({ElementType.METHOD, ElementType.TYPE}) // on a type only for the interceptor; any other is rejected
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Locked {

    /** Returns the name of the lock, as {@link #name}. */
    @Nonbinding
    String value() default "";

    /** Returns the name of the lock, the same for every call; with a {@link #key}, the part before the colon. It is required. */
    @Nonbinding
    String name() default "";

    /**
     * Returns the part of the lock's name that differs between calls: a parameter, or a property of a parameter, such as {@code id} or {@code order.id}.
     * The lock's name is then {@code name:key}. Several paths make one key, in which a colon separates their texts. A call fails if its key is null or
     * empty.
     *
     * <p>The key's type is a primitive or its box, a {@link CharSequence}, a {@link java.util.UUID}, an enum, a type of {@code java.time}, a record,
     * list or set of these, or a type with a {@link LockKeyConverter}. Any other type is rejected by the deployment if the declaration
     * shows it, and otherwise at the call. If a parameter or a property does not exist, the deployment fails.
     */
    @Nonbinding
    String[] key() default {};

    /**
     * Returns the maximum time that a call waits in the queue. By default a call does not wait with {@link OnBusy#FAIL} and {@link OnBusy#SKIP}; with
     * {@link OnBusy#WAIT} it waits for the setting {@code holdfast.locked.wait-for}, 30 s unless set.
     */
    @Nonbinding
    String waitFor() default "";

    /**
     * Returns how long the nodes keep the lock when this process dies, 50 ms to 24 h; by default the setting {@code holdfast.ttl}. The lease is extended
     * while the method runs.
     */
    @Nonbinding
    String ttl() default "";

    /**
     * Returns the maximum time that a call holds the lock, 50 ms or more, by default the setting {@code holdfast.max-hold}. The lease is then lost for the
     * reason {@link dev.holdfast.lock.Loss.Reason#MAX_HOLD}, and {@link #onLost} applies.
     */
    @Nonbinding
    String maxHold() default "";

    /** Returns the mode of the lock, such as {@link LockMode#PR} for readers that share it. */
    @Nonbinding
    LockMode mode() default LockMode.EX;

    /** Returns what a call does when it does not acquire the lock in time. */
    @Nonbinding
    OnBusy onBusy() default OnBusy.WAIT;

    /**
     * Returns the minimum time that the lock stays held, counted from when it was acquired. The lock stays held even if the method is faster, or the
     * application stops or dies. This setting is meant for scheduled methods of instances whose clocks differ. No thread waits for that time. At most
     * 24 h; if the time is longer than the ttl, {@code holdfast.restart-quarantine} must be at least as long.
     */
    @Nonbinding
    String atLeast() default "";

    /** Returns what happens to a call whose lease is lost while it runs. */
    @Nonbinding
    OnLost onLost() default OnLost.INTERRUPT;

    /**
     * Returns whether a call runs under the lease that an outer call of the same thread holds on the same lock, in the same mode or in {@link
     * LockMode#EX}. The outer call then releases the lease. By default such a call fails at once. The method must return a result that is complete on
     * return.
     */
    @Nonbinding
    boolean reentrant() default false;
}
