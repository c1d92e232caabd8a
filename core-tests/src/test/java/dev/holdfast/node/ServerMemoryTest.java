package dev.holdfast.node;

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
            ttlMillis -> ttlMillis == 500 ? QUARANTINE_MILLIS : ttlMillis,
            QUARANTINE_MILLIS,
            () -> "n" + nonces.incrementAndGet());

    private final long startMillis = nowMillis.get();

    private long frozenMillis; // how long this client stood still without its clocks showing it

    private long serverMillis() {
        return SERVER_MILLIS + nowMillis.get() - startMillis + frozenMillis;
    }

    /** The persisted content, or nothing. */
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
        memory.connected("run", 4_000, false);
        look(look(""));
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isEqualTo(6_000);
        nowMillis.addAndGet(5_999);
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isEqualTo(1);
        nowMillis.addAndGet(1);
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isZero();
    }

    @Test
    void a2_quarantineFollowsTheRequest() {
        memory.connected("run", 4_000, false);
        assertThat(memory.remainingMillis(86_400_000)).isEqualTo(86_396_000);
        assertThat(memory.remainingMillis(5_000)).isEqualTo(1_000);
        assertThat(memory.remainingMillis(4_000))
                .as("a long ttl elsewhere changes nothing")
                .isZero();
    }

    @Test
    void theFirstClientSaysOnlyThatItIsTheFirst() {
        memory.connected("run", 4_000, false);
        assertThat(look(""))
                .as("since its start, for older clients")
                .isEqualTo("run/first.n1/" + (serverMillis() - 4_000));
        look("run/first.x/" + serverMillis());
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS))
                .as("the server itself tells its age")
                .isEqualTo(6_000);
    }

    @Test
    void whatIsGoneBeforeItsTimeWasLost() {
        memory.connected("run", 3_600_000, false);
        look(look(""));
        nowMillis.addAndGet(39_000);
        String lost = look("");
        assertThat(lost).isEqualTo("run/lost.n2/" + serverMillis());
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isEqualTo(QUARANTINE_MILLIS);
        look(lost);
        nowMillis.addAndGet(QUARANTINE_MILLIS);
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isZero();
    }

    /** A client stood still for minutes. By the server's clock, the key that it misses has expired as it should. */
    @Test
    void a1_aFrozenClientDoesNotTakeAnExpiredKeyForALoss() {
        memory.connected("run", 3_600_000, false);
        look(look(""));
        frozenMillis = 120_000;
        assertThat(look("")).startsWith("run/first.");
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isZero();
    }

    @Test
    void aKeyThatWasMissingInBetweenWasLost() {
        memory.connected("run", 3_600_000, false);
        look(look(""));
        nowMillis.addAndGet(1_000);
        assertThat(look("run/first.other/" + (serverMillis() - 500))).isEqualTo("run/lost.n2/" + serverMillis());
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isEqualTo(QUARANTINE_MILLIS);
    }

    @Test
    void whatMayHaveExpiredIsWrittenAnew() {
        memory.connected("run", 3_600_000, false);
        look(look(""));
        nowMillis.addAndGet(60_001);
        assertThat(look("")).startsWith("run/first.n2/");
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isZero();
    }

    @Test
    void aLossThatAnotherClientFoundIsAdopted() {
        memory.connected("run", 3_600_000, false);
        look(look(""));
        look("run/lost.x/" + (serverMillis() - 2_000));
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isEqualTo(8_000);
        look("run/older-version/" + (serverMillis() - 9_000));
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS))
                .as("the later loss counts")
                .isEqualTo(8_000);
        look("run/z");
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS))
                .as("declared clean")
                .isZero();
    }

    @Test
    void b6_anotherRunsEpochMeansThatStateCameFromThere() {
        memory.connected("run", 3_600_000, false);
        assertThat(look("before/x")).isEqualTo("run/lost.n1/" + serverMillis());
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isEqualTo(QUARANTINE_MILLIS);
        assertThat(memory.countedFromMillis(serverMillis() - 3_600_000, 500))
                .as("what an earlier run gave was given before now")
                .isEqualTo(serverMillis() + QUARANTINE_MILLIS);
    }

    @Test
    void b6_aPromotedReplicaHasLostWhatItsPrimaryHadLast() {
        memory.connected("run", 3_600_000, true);
        String lost = look("");
        assertThat(lost).isEqualTo("run/lost.n1/" + serverMillis());
        assertThat(memory.epochLifeMillis())
                .as("the server tells of its promotion for ever")
                .isGreaterThan(86_400_000);
        nowMillis.addAndGet(7_000);
        look(lost);
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isEqualTo(3_000);
    }

    /** The uptime of a server follows its wall clock. */
    @Test
    void b8_aClockThatIsSetAfterTheStartMakesNoServerOlder() {
        memory.connected("run", 3_600_000, false);
        look(look(""));
        nowMillis.addAndGet(1_000);
        memory.connected("next", 3_600_000, false);
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS))
                .as("the run before was heard a second ago")
                .isEqualTo(QUARANTINE_MILLIS - 1_000);
    }

    @Test
    void a1_aStepOfTheClockIsThisClientsOwnObservation() {
        memory.connected("run", 3_600_000, false);
        String written = look("");
        look(written);
        memory.clockStepped(serverMillis());
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isEqualTo(QUARANTINE_MILLIS);
        assertThat(look(written)).as("nothing is published").isEmpty();
    }

    @Test
    void anotherRunForgetsThatItWasClean() {
        memory.connected("run", 0, false);
        look("run/clean");
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isZero();
        memory.connected("run", 5_000, false);
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS))
                .as("connected again")
                .isZero();
        memory.connected("next", 0, false);
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isEqualTo(QUARANTINE_MILLIS);
    }

    @Test
    void withoutARunIdEveryConnectionIsARestartAndNothingIsWritten() {
        memory.connected(null, 3_600_000, false);
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isEqualTo(QUARANTINE_MILLIS);
        nowMillis.addAndGet(QUARANTINE_MILLIS);
        assertThat(look("")).isEmpty();
        assertThat(look("run/x")).isEmpty();
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isZero();
        memory.connected(null, 3_600_000, false);
        assertThat(memory.remainingMillis(QUARANTINE_MILLIS)).isEqualTo(QUARANTINE_MILLIS);
    }
}
