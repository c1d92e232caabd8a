package dev.holdfast.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.cdi.Locked;
import dev.holdfast.lock.Lease;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application that names no nodes gets real ones in dev and test mode. */
@Tag("slow")
class DevServicesTest {

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClass(Stock.class))
            .overrideConfigKey("quarkus.http.test-port", "0")
            .overrideConfigKey("quarkus.holdfast.devservices.nodes", "3");

    @ApplicationScoped
    public static class Stock {

        @Locked("stock")
        public String take() {
            return "taken";
        }
    }

    @Inject
    Holdfast holdfast;

    @Inject
    Stock stock;

    @Test
    void theNodesAreProcessesOfThisMachine() throws Exception {
        assertThat(holdfast.admin().nodeNames()).hasSize(3).allMatch(node -> node.contains("127.0.0.1:"));
        try (Lease lease = holdfast.lock("x").acquire(Duration.ofSeconds(10))) {
            assertThat(lease.fencingToken()).isPositive();
        }
        assertThat(stock.take()).isEqualTo("taken");
    }
}
