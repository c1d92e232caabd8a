package dev.holdfast.server.lease;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.node.LockValue;
import dev.holdfast.server.message.Body;
import dev.holdfast.server.message.Failures;
import dev.holdfast.server.message.Problem;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of an acquire.
 *
 * @param patience how long the request may wait in the queue
 * @param isExtended whether the server extends the lease while its client is connected; otherwise the client does
 * @param value the value for later holders, which the server writes once the lock is granted; null for none
 * @param label the client's name for itself, for people; null for none
 */
public record LockRequest(
        String lock,
        LockMode mode,
        Duration ttl,
        Duration patience,
        boolean isExtended,
        @Nullable String value,
        @Nullable String label) {

    private static final Pattern LABEL = Pattern.compile("(?!\\p{Z}+$)[^\\p{Cc}\\p{Cf}\\p{Cs}]{1,100}");

    public LockRequest {
        ServersLocks.reject(lock);
        if (label != null && !LABEL.matcher(label).matches()) {
            throw new IllegalArgumentException(
                    "the field 'label' must have 1 to 100 characters, none of them invisible, and not only spaces");
        }
        if (value != null) {
            LockValue.requireText(value);
            if (!mode.mayWrite()) {
                throw new IllegalArgumentException("a value is written in mode EX or PW, but the mode is " + mode);
            }
        }
    }

    /** The fields of a request that describe the acquire. */
    public static final List<String> FIELDS = List.of("lock", "mode", "ttl", "wait", "value", "label");

    /** Returns the parameters of a request, or throws a {@link Problem}. */
    public static LockRequest of(Body body, Duration longestWait, boolean isExtended) {
        Duration wait = body.duration("wait", Duration.ZERO);
        if (wait.compareTo(longestWait) > 0) {
            throw Problem.badRequest("The field 'wait' is " + DurationText.of(wait) + ", but may be "
                    + DurationText.of(longestWait) + " at most; retry when that wait ends.");
        }
        try {
            return new LockRequest(
                    body.text("lock"),
                    body.constant("mode", LockMode.class, LockMode.EX),
                    body.duration("ttl", LockOptions.defaults().ttl()),
                    wait,
                    isExtended,
                    body.textOrNull("value"),
                    body.textOrNull("label"));
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(Failures.sentence(e));
        }
    }
}
