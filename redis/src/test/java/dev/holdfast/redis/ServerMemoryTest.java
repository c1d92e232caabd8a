package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.time.Ticker;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ServerMemoryTest {

    private static final long QUARANTINE_MILLIS = 10_000;
    private static final long SERVER_MILLIS = 1_790_000_000_000L;

    private final AtomicLong nowMillis = new AtomicLong(Long.MAX_VALUE / 1_000_000 - 1_000); // wraps around soon
    private final AtomicLong nonces = new AtomicLong();
    private final ServerMemory memory = new ServerMemory(
            new Ticker() {
                @Override
                public long nanos() {
                    return nowMillis.get() * 1_000_000;
                }

                @Override
                public long wallMillis() {
                    return nowMillis.get();
                }
            },
            () -> QUARANTINE_MILLIS,
            () -> "n" + nonces.incrementAndGet());

    private final long startMillis = nowMillis.get();

    private long serverMillis() {
        return SERVER_MILLIS + nowMillis.get() - startMillis;
    }

    /** What is written, or nothing. */
    private String look(String found) {
        return memory.seen(found, serverMillis(), nowMillis.get() * 1_000_000)
                .map(write -> {
                    assertThat(write.insteadOf()).isEqualTo(found);
                    return write.value();
                })
                .orElse("");
    }

    @Test
    void aYoungServerWaitsForItsAge() {
        memory.connected("run", 4_000);
        assertThat(look("")).isEmpty();
        assertThat(memory.remainingMillis()).isEqualTo(6_000);
        nowMillis.addAndGet(5_999);
        assertThat(memory.remainingMillis()).isEqualTo(1);
        nowMillis.addAndGet(1);
        assertThat(memory.remainingMillis()).isZero();
        assertThat(look("")).as("since its start").isEqualTo("run/n1/" + (serverMillis() - 10_000));
    }

    @Test
    void whatIsGoneBeforeItsTimeWasLost() {
        memory.connected("run", 3_600_000);
        String written = look("");
        assertThat(written).isEqualTo("run/n1/" + (serverMillis() - 3_600_000));
        look(written);
        nowMillis.addAndGet(59_000);
        String lost = look("");
        assertThat(lost).isEqualTo("run/n2/" + serverMillis());
        assertThat(memory.remainingMillis()).isEqualTo(QUARANTINE_MILLIS);
        look(lost);
        nowMillis.addAndGet(QUARANTINE_MILLIS);
        assertThat(memory.remainingMillis()).isZero();
    }

    @Test
    void whatMayHaveExpiredIsWrittenAnew() {
        memory.connected("run", 3_600_000);
        look(look(""));
        nowMillis.addAndGet(60_001);
        assertThat(look("")).startsWith("run/n2/");
        assertThat(memory.remainingMillis()).isZero();
    }

    @Test
    void whatAnotherFoundOutIsAdopted() {
        memory.connected("run", 3_600_000);
        look(look(""));
        look("run/x/" + (serverMillis() - 2_000));
        assertThat(memory.remainingMillis()).isEqualTo(8_000);
        look("run/y/" + (serverMillis() - 9_000));
        assertThat(memory.remainingMillis()).as("the later loss counts").isEqualTo(8_000);
        look("run/z");
        assertThat(memory.remainingMillis()).as("declared clean").isZero();
    }

    @Test
    void anotherRunsEpochSaysNothing() {
        memory.connected("run", 1_000);
        assertThat(look("before/x")).isEmpty();
        assertThat(memory.remainingMillis()).isEqualTo(9_000);
        nowMillis.addAndGet(9_000);
        assertThat(look("before/x")).startsWith("run/n1/");
        assertThat(look("not an epoch")).startsWith("run/n2/");
    }

    @Test
    void anotherRunForgetsThatItWasClean() {
        memory.connected("run", 0);
        look("run/clean");
        assertThat(memory.remainingMillis()).isZero();
        memory.connected("run", 5_000);
        assertThat(memory.remainingMillis()).as("connected again").isZero();
        memory.connected("next", 0);
        assertThat(memory.remainingMillis()).isEqualTo(QUARANTINE_MILLIS);
    }

    @Test
    void withoutARunIdEveryConnectionIsARestartAndNothingIsWritten() {
        memory.connected(null, 3_600_000);
        assertThat(memory.remainingMillis()).isEqualTo(QUARANTINE_MILLIS);
        nowMillis.addAndGet(QUARANTINE_MILLIS);
        assertThat(look("")).isEmpty();
        assertThat(look("run/x")).isEmpty();
        assertThat(memory.remainingMillis()).isZero();
        memory.connected(null, 3_600_000);
        assertThat(memory.remainingMillis()).isEqualTo(QUARANTINE_MILLIS);
    }
}
