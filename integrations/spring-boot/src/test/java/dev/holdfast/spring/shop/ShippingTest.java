package dev.holdfast.spring.shop;

// readme:begin
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockTimeoutException;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestPropertySource; // not shown

@SpringBootTest(properties = "holdfast.nodes=memory:shipping-test")
@TestPropertySource(properties = OnlyLocks.PROPERTY) // not shown
class ShippingTest {

    @Test
    void anOrderThatAnotherInstanceShipsIsRefused(@Autowired Shipping shipping) throws Exception {
        try (Holdfast other = Holdfast.connect("memory:shipping-test");
                Lease lease = other.lock("orders:42").acquire()) {
            assertThat(lease.isHeld()).isTrue();
            assertThatThrownBy(() -> shipping.ship("42")).isInstanceOf(LockTimeoutException.class);
        }
        assertThat(shipping.ship("42")).isEqualTo("shipped 42");
    }
}
// readme:end
