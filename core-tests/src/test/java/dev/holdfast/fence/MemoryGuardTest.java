package dev.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryGuardTest {

    private final MemoryGuard guard = new MemoryGuard();

    @Test
    void equalAndLargerTokensPass() {
        guard.check("file", 7);
        guard.check("file", 7);
        guard.check("file", 9);

        assertThat(guard.newest("file")).isEqualTo(9);
    }

    @Test
    void aSmallerTokenIsToldBoth() {
        guard.check("file", 9);

        assertThatThrownBy(() -> guard.check("file", 8))
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.token()).isEqualTo(8);
                    assertThat(stale.newestToken()).isEqualTo(9);
                })
                .hasMessage("token 8 for 'file' is stale: 9 came before, so the lease with token 8 has ended");
        assertThat(guard.newest("file")).isEqualTo(9);
    }

    @Test
    void resourcesHaveNothingToDoWithEachOther() {
        guard.check("one", 9);
        guard.check("other", 1);

        assertThat(guard.newest("other")).isEqualTo(1);
        assertThat(guard.newest("unknown")).isZero();
    }

    @Test
    void whatIsForgottenBeginsAnew() {
        guard.check("file", 9);
        guard.forget("file");

        guard.check("file", 1);

        assertThat(guard.newest("file")).isEqualTo(1);
    }

    @Test
    void whatTheWorkThrowsPassesUnharmedAndTheTokenCounts() {
        IOException thrown = new IOException("disk");

        assertThatThrownBy(() -> guard.call("file", 5, () -> {
                    throw thrown;
                }))
                .isSameAs(thrown);

        assertThat(guard.newest("file")).isEqualTo(5);
        assertThat(guard.<String, RuntimeException>call("file", 5, () -> "done"))
                .isEqualTo("done");
    }

    @Test
    void inARaceNoStaleWorkIsDoneAfterALargerTokens() throws Exception {
        List<Long> written = Collections.synchronizedList(new ArrayList<>());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (long token = 1; token <= 10_000; token++) {
                long mine = token;
                threads.execute(() -> {
                    try {
                        guard.call("file", mine, () -> written.add(mine));
                    } catch (StaleTokenException stale) {
                        assertThat(stale.newestToken()).isGreaterThan(mine);
                    }
                });
            }
        } finally {
            threads.shutdown();
            assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(written).isSorted().endsWith(10_000L);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 53, Long.MIN_VALUE, Long.MAX_VALUE})
    void aTokenThatCanBeNoneIsRefused(long token) {
        assertThatThrownBy(() -> guard.check("file", token))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("token is " + token + ", but must be from 1 to 9007199254740991");
    }

    @Test
    void aResourceMustHaveAName() {
        assertThatThrownBy(() -> guard.check("", 1)).hasMessageContaining("has 0 bytes");
        assertThatThrownBy(() -> guard.check("é".repeat(513), 1)).hasMessageContaining("has 1026 bytes");
        assertThatThrownBy(() -> guard.check("a\0b", 1)).hasMessageContaining("U+0000");
        guard.check("é".repeat(512), 1);
    }
}
