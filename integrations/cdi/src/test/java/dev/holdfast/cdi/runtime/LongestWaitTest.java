package dev.holdfast.cdi.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.cdi.HoldfastPropertyException;
import dev.holdfast.cdi.LockKeyConverter;
import jakarta.enterprise.inject.Instance;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The longest wait in the settings, which a container such as Quarkus may have read as a negative duration. */
class LongestWaitTest {

    private static <T> T fake(Class<T> type, InvocationHandler answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
    }

    @SuppressWarnings("unchecked") // never used
    private static LockedMethods methods(Duration longestWait) {
        ClientSettings.MethodSettings locked = () -> Optional.of(longestWait);
        ClientSettings settings = fake(ClientSettings.class, (proxy, method, arguments) -> locked);
        Platform platform = fake(
                Platform.class,
                (proxy, method, arguments) -> method.getName().equals("root") ? "quarkus.holdfast." : settings);
        Instance<LockKeyConverter<?>> none = fake(Instance.class, (proxy, method, arguments) -> null);
        return new LockedMethods(new LockedMethodTable(List.of()), platform, none);
    }

    @Test
    void aNegativeOneIsRefused() {
        assertThatThrownBy(() -> methods(Duration.ofSeconds(-1)))
                .isInstanceOf(HoldfastPropertyException.class)
                .hasMessage(
                        "quarkus.holdfast.locked.wait-for: it is -1 s, but must be 0 or more, since it is the longest"
                                + " time of a wait. Set a duration such as 30s; 0 does not wait.");
        assertThat(methods(Duration.ZERO).longestWait()).isZero();
    }
}
