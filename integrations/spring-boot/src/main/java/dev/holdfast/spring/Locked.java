package dev.holdfast.spring;

import dev.holdfast.lock.LockMode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * A method that runs under a lock: acquired before its body and before its transaction, released after both.
 *
 * <pre>{@code
 * @Locked(name = "orders", key = "#order.id", waitFor = "5s")
 * @Transactional
 * public void ship(Order order, Lease lease) { ... }      // the lease comes from the aspect; callers pass null
 *
 * @Scheduled(cron = "0 0 3 * * *")
 * @Locked(name = "nightly", onBusy = OnBusy.SKIP, waitFor = "1s", atLeast = "1m")
 * public void nightly() { ... }                            // in one instance of many
 * }</pre>
 *
 * <p>The lease is in a parameter of type {@link dev.holdfast.lock.Lease} if there is one, and {@link dev.holdfast.Holdfast#currentLease()} has it on
 * the thread of the call. Leases are not reentrant: a locked method that calls another with the same lock waits for itself.
 *
 * <p>Works as everything does that Spring's proxies do: calls within one object do not go through them. What a proxy can't see (private, final
 * and static methods, final classes) is refused when the bean is made, and so is what would not do what it says: {@code @Async} on the same
 * method, results that are used after the method has returned (a {@code Stream}), a primitive result with {@link OnBusy#SKIP}. A result of type
 * {@code Mono}, {@code Flux} or {@link java.util.concurrent.CompletionStage} holds the lock until it is there.
 *
 * <p>Texts of durations are those of Spring ({@code 500ms}, {@code 5s}, {@code 2m}, {@code 1h}, ISO as {@code PT5S}); all texts but the key may have
 * placeholders, {@code ${...}}.
 *
 * @see OnBusy what a call does when it does not get the lock
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Locked {

    /** Returns the name of the lock, as {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /** Returns the name of the lock, the same for every call; with a {@link #key}, what stands before the colon. Must be given. */
    @AliasFor("value")
    String name() default "";

    /**
     * What tells the locks of calls apart, in SpEL over the arguments: {@code #id}, {@code #order.id}, {@code #a0}; also {@code #root.method},
     * {@code #root.target} and {@code @bean}. The lock is {@code name:key} then. One that gives null, or an empty text, ends the call.
     * So does one whose text is not the same for equal values, as that of an array or of an object without a {@code toString} of its own; where the declared
     * types tell, the start ends.
     */
    String key() default "";

    /**
     * Returns how long a call stands in line at most. Unless given, not at all with {@link OnBusy#FAIL} and {@link OnBusy#SKIP}, and with {@link OnBusy#WAIT} for
     * {@code holdfast.locked.wait-for}, which has no end unless set.
     */
    String waitFor() default "";

    /** Returns how long the nodes keep the lock when this process dies, 50 ms to 24 h; {@code holdfast.ttl} unless given. It is extended while the method runs. */
    String ttl() default "";

    /** Returns how the lock is shared with others: {@link LockMode#PR} for readers. */
    LockMode mode() default LockMode.EX;

    /** What a call does that does not get the lock in time. */
    OnBusy onBusy() default OnBusy.WAIT;

    /**
     * Returns how long the lock stays taken at least, from when it was acquired, however fast the method was, and though the application stops or dies
     * meanwhile: for scheduled methods of instances whose clocks differ. No thread waits for that. Up to 24 h; longer than the ttl it asks for
     * a {@code holdfast.restart-quarantine} of that length.
     */
    String atLeast() default "";

    /** What becomes of a call whose lease is lost while it runs. */
    OnLost onLost() default OnLost.INTERRUPT;
}
