package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockTimeoutException;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;

/** The example of the section "Testing" in the guide of Spring Boot. */
@SpringBootTest(properties = "holdfast.nodes=memory:shipping-test")
class ShippingTest {

    private final Shipping shipping;

    @Autowired
    ShippingTest(Shipping shipping) {
        this.shipping = shipping;
    }

    @Test
    void anOrderThatAnotherInstanceShipsIsRefused() throws Exception {
        try (Holdfast other = Holdfast.connect("memory:shipping-test");
                Lease lease = other.lock("orders:42").acquire()) {
            assertThat(lease.isHeld()).isTrue();
            assertThatThrownBy(() -> shipping.ship("42")).isInstanceOf(LockTimeoutException.class);
        }
        assertThat(shipping.ship("42")).isEqualTo("shipped 42");
    }

    static class Shipping {

        @Locked(name = "orders", key = "#id", waitFor = "100ms")
        public String ship(String id) {
            return "shipped " + id;
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
            })
    static class Shop {

        @Bean
        Shipping shipping() {
            return new Shipping();
        }
    }
}
