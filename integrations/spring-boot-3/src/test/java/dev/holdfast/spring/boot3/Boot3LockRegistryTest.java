package dev.holdfast.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.integration.HoldfastLock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class Boot3LockRegistryTest {

    @Test
    void itsLocksMayHaveATtlOfTheirOwn() {
        try (Holdfast holdfast = Holdfast.connect("memory:boot3-registry")) {
            HoldfastLock lock = new Boot3LockRegistry(holdfast, "shop", Duration.ofSeconds(5)).obtain("a");
            lock.lock();
            assertThat(lock.lease().orElseThrow().remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(5));
            lock.unlock();
            assertThatThrownBy(() -> new Boot3LockRegistry(holdfast, "shop", Duration.ofMillis(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ttl is 1 ms");
        }
    }
}
