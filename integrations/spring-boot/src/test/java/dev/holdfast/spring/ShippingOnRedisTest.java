package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.junit.LockNodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The example of the section "Testing" in the guide of Spring Boot, on real servers. */
@SpringBootTest
class ShippingOnRedisTest {

    @RegisterExtension
    static final LockNodes NODES = LockNodes.redis(3);

    @DynamicPropertySource
    static void nodes(DynamicPropertyRegistry properties) {
        properties.add("holdfast.nodes", NODES::uris);
    }

    @Test
    void anOrderIsShippedThoughANodeIsGone(@Autowired Shipping shipping) {
        NODES.kill(1);

        assertThat(shipping.ship("42")).isEqualTo("shipped 42");
    }

    static class Shipping {

        @Locked(name = "orders", key = "#id")
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
