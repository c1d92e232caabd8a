package dev.holdfast.junit;

import static dev.holdfast.junit.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes that all tests of a class share, because their field is static. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SharedLockNodesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    static final LockNodes NODES = LockNodes.inMemory(3);

    private static Lease ofTheClass;
    private static Lease ofATest;

    @BeforeAll
    static void acquire(Holdfast holdfast) throws Exception {
        ofTheClass = holdfast.lock("of the class").acquire(PATIENCE);
    }

    @Test
    @Order(1)
    void aTestUsesTheNodesOfItsClass(Holdfast holdfast) throws Exception {
        ofATest = holdfast.lock("of a test").acquire(PATIENCE);

        assertThatLock(holdfast, "of the class").isHeldWithToken(ofTheClass.fencingToken());
    }

    @Test
    @Order(2)
    void theNextTestFindsTheSameNodesAndNoClientOfTheOneBefore(Holdfast holdfast) {
        assertThat(ofATest.isHeld()).isFalse();
        assertThatLock(holdfast, "of a test").isFree();
        assertThatLock(holdfast, "of the class").isHeldWithToken(ofTheClass.fencingToken());
        assertThat(ofTheClass.isHeld()).isTrue();
    }

    @Test
    void nodesInMemoryHaveNoAddress() {
        assertThatThrownBy(NODES::uris)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no address");
    }

    @Nested
    class Inner {

        @Test
        void nestedClassesShareThemToo(Holdfast holdfast) {
            assertThatLock(holdfast, "of the class").isHeldWithToken(ofTheClass.fencingToken());
        }
    }
}
