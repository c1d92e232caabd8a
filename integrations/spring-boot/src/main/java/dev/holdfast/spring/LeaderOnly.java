package dev.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method, or all public methods of a bean, that run only in the leading instance of an application. In the other instances a call does nothing and
 * returns null, or an empty {@code Optional}.
 *
 * <pre>{@code
 * @Scheduled(fixedRate = 10, timeUnit = TimeUnit.SECONDS)
 * @LeaderOnly("reports")
 * public void report() { ... }
 * }</pre>
 *
 * <p>The application stands for every election of this kind from its start to its end ({@link dev.holdfast.Holdfast#election}). When the leadership
 * is lost, the thread of a running call is interrupted, and the call ends with a {@link dev.holdfast.lock.LeaseLostException} unless it throws
 * another exception. Another instance leads when the running calls have ended, or after a ttl at the latest. {@link
 * dev.holdfast.Holdfast#currentLease()} has the term as its token.
 *
 * <p>The start fails for the same reasons as with {@link Locked}, and also if a result is not complete when the method returns.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface LeaderOnly {

    /** Returns the name of the election, which may have placeholders, {@code ${...}}. It is required. */
    String value();
}
