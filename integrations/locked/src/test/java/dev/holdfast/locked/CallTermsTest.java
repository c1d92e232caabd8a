package dev.holdfast.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.Lease;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CallTermsTest {

    private static final CallTerms TERMS = new CallTerms(Duration.ofDays(2), LossEffect.FAIL);

    private final List<String> calls = new ArrayList<>();

    /** A lease that refuses the minimum time, as a client does whose settings do not allow it. */
    private final Lease lease = (Lease) Proxy.newProxyInstance(
            Lease.class.getClassLoader(), new Class<?>[] {Lease.class}, (proxy, method, args) -> {
                calls.add(method.getName());
                return switch (method.getName()) {
                    case "isHeld" -> true;
                    case "releaseAfter" -> throw new IllegalArgumentException("held is 48 h");
                    case "releaseAsync" -> new CompletableFuture<>();
                    default -> null;
                };
            });

    @Test
    void aLeaseThatCannotStayHeldIsReleasedAtOnce() {
        assertThatThrownBy(() -> TERMS.letGo(lease)).hasMessage("held is 48 h");

        assertThat(calls).containsExactly("isHeld", "releaseAfter", "close");
    }

    @Test
    void aLeaseThatCannotStayHeldIsReleasedAtOnceWithoutBlocking() {
        assertThatThrownBy(() -> TERMS.letGoAsync(lease)).hasMessage("held is 48 h");

        assertThat(calls).containsExactly("isHeld", "releaseAfter", "releaseAsync");
    }
}
