package dev.holdfast.spring.shop;

// readme:begin
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.junit.LockNodes;
import dev.holdfast.spring.test.ApplicationNodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestPropertySource; // not shown

@SpringBootTest
@TestPropertySource(properties = OnlyLocks.PROPERTY) // not shown
class ShippingOnRedisTest {

    @ApplicationNodes
    @RegisterExtension
    static final LockNodes NODES = LockNodes.redis(3);

    @Test
    void anOrderIsShippedThoughANodeIsGone(@Autowired Shipping shipping) {
        NODES.kill(1);

        assertThat(shipping.ship("42")).isEqualTo("shipped 42");
    }
}
// readme:end
