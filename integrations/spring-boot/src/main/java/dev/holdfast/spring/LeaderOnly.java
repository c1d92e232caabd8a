package dev.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method, or all public methods of a bean, that run only in the instance of an application that leads; in the others a call does nothing, and
 * gives null, or an empty {@code Optional}.
 *
 * <pre>{@code
 * @Scheduled(fixedRate = 10, timeUnit = TimeUnit.SECONDS)
 * @LeaderOnly("reports")
 * public void report() { ... }
 * }</pre>
 *
 * <p>The application stands for every election of this kind from its start to its end ({@link dev.holdfast.Holdfast#election}). The thread of a call is
 * interrupted when the leadership is lost, and the call ends with a {@link dev.holdfast.lock.LeaseLostException} unless it throws something else;
 * another leads when the calls that run have ended, or a ttl later. {@link dev.holdfast.Holdfast#currentLease()} has the term as its token.
 *
 * <p>What {@link Locked} refuses is refused here too, and so are results that are not there when the method returns.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface LeaderOnly {

    /** Returns the name of the election, which may have placeholders, {@code ${...}}. Must be given. */
    String value();
}
