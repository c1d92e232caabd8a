package dev.holdfast.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.junit.LockNodes;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.test.ApplicationNodes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.TestPropertySource;

/** A test of an application on Spring Boot 3.5 gets its nodes by {@link ApplicationNodes}. */
@Tag("slow")
@SpringBootTest
@TestPropertySource(
        properties =
                "spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration")
class Boot3ApplicationNodesTest {

    @ApplicationNodes
    @RegisterExtension
    static final LockNodes NODES = LockNodes.redis(3);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        static Orders orders() {
            return new Orders();
        }
    }

    static class Orders {

        @Locked(name = "orders", key = "#id")
        String ship(String id) {
            return "shipped " + id;
        }
    }

    @Test
    void anOrderIsShippedThoughANodeIsGone(@Autowired Orders orders) {
        NODES.kill(1);

        assertThat(orders.ship("42")).isEqualTo("shipped 42");
    }
}
