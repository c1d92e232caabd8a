package dev.holdfast.cdi.shop;

// readme:begin
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockTimeoutException;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import org.junit.jupiter.api.Test;

class ShippingTest {

    @Test
    void anOrderThatAnotherInstanceShipsIsRefused() throws Exception {
        System.setProperty("holdfast.nodes", "memory:shipping-test");
        try (SeContainer application = SeContainerInitializer.newInstance()
                        .addBeanClasses(Shipping.class)
                        .initialize();
                Holdfast other = Holdfast.connect("memory:shipping-test")) {
            Shipping shipping = application.select(Shipping.class).get();
            Shipping.Order order = new Shipping.Order("42");
            try (Lease lease = other.lock("orders:42").acquire()) {
                assertThat(lease.isHeld()).isTrue();
                assertThatThrownBy(() -> shipping.ship(order)).isInstanceOf(LockTimeoutException.class);
            }
            assertThat(shipping.ship(order)).isEqualTo("shipped 42");
        } finally {
            System.clearProperty("holdfast.nodes");
        }
    }
}
// readme:end
