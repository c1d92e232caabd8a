package dev.holdfast.torture.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two faults never strike the same thing at a time. */
class ClaimsTest {

    private final Random random = new Random(1);

    @Test
    void whatIsTakenIsNotGivenAgainUntilItIsBack() throws Exception {
        Claims claims = new Claims(5);
        Claims.Claim first = claims.take(3, random);
        try (Claims.Claim second = claims.take(2, random)) {
            assertThat(first.numbers()).doesNotContainAnyElementsOf(second.numbers());
        }
        CompletableFuture<Claims.Claim> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return claims.take(4, random);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(waiting).isNotDone();
        first.close();
        assertThat(waiting.get(10, TimeUnit.SECONDS).numbers()).hasSize(4);
    }
}
