package dev.holdfast.redis.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of a server that runs can be set. */
class ClockShimTest {

    private static final RedisOptions STEPPABLE = RedisOptions.defaults().steppableClock(true);
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path scratch;

    private static void assumeItWorks() {
        ClockShim.unavailable().ifPresent(why -> assumeTrue(false, why));
    }

    private static Duration ahead(RedisProcess server) {
        List<?> time = (List<?>) server.send("TIME");
        Instant there = Instant.ofEpochSecond(
                Long.parseLong(time.get(0).toString()),
                Long.parseLong(time.get(1).toString()) * 1000);
        return Duration.between(Instant.now(), there);
    }

    @Test
    void theClockOfARunningServerIsSetForwardAndBack() {
        assumeItWorks();
        try (RedisProcess server = RedisProcess.start(STEPPABLE)) {
            assertThat(ahead(server)).isBetween(Duration.ofSeconds(-10), Duration.ZERO);

            server.stepClock(HOUR);
            assertThat(ahead(server)).isBetween(HOUR.minusSeconds(10), HOUR);
            server.stepClock(HOUR.multipliedBy(-2));
            assertThat(ahead(server)).isBetween(HOUR.negated().minusSeconds(10), HOUR.negated());
            assertThat(server.clockOffset()).isEqualTo(HOUR.negated());
        }
    }

    @Test
    void keysExpireByIt() {
        assumeItWorks();
        try (RedisProcess server = RedisProcess.start(STEPPABLE)) {
            server.send("SET", "k", "v", "PX", "3600000");

            server.stepClock(HOUR);

            await().untilAsserted(() -> assertThat(server.send("GET", "k")).isNull());
        }
    }

    @Test
    void aStepStaysThroughARestartAndIsThereBeforeTheFileIsRead() {
        assumeItWorks();
        try (RedisProcess server = RedisProcess.start(STEPPABLE.appendOnly(true))) {
            server.send("SET", "k", "v", "PX", "3600000");
            server.stop();
            server.stepClock(HOUR);
            server.restart();

            assertThat(ahead(server)).isGreaterThan(HOUR.minusSeconds(10));
            assertThat(server.send("GET", "k")).isNull();
        }
    }

    @Test
    void serversHaveClocksOfTheirOwn() {
        assumeItWorks();
        try (RedisProcesses nodes = RedisProcesses.start(2, STEPPABLE)) {
            nodes.node(0).stepClock(HOUR);

            assertThat(ahead(nodes.node(1))).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void aServerThatWasStartedWithoutItSaysSo() {
        try (RedisProcess server = RedisProcess.start()) {
            assertThatThrownBy(() -> server.stepClock(HOUR))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("RedisOptions.steppableClock");
        }
    }

    @Test
    void aStaticServerIsRefusedWithTheReason() {
        RedisBinary carried = new RedisBinary(CarriedRedis.executable(System.getenv()));
        assumeTrue(!carried.isDynamic(), "the server that comes with the build can be preloaded here");

        assertThatThrownBy(() -> RedisProcess.start(STEPPABLE.binary(carried)))
                .isInstanceOf(RedisStartException.class)
                .hasMessageContaining("linked statically, and can't be preloaded");
        assertThat(RedisBinary.findDynamic(
                        Map.of(RedisBinary.VARIABLE, carried.path().toString())))
                .isEmpty();
    }

    @Test
    void onlyProgramsThatAskForADynamicLinkerAreDynamic() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/exe")), "executables here are no ELF files");
        Path script = Files.writeString(scratch.resolve("script"), "#!/bin/sh\necho hello\n");
        Path torn = Files.write(scratch.resolve("torn"), new byte[] {0x7f, 'E', 'L', 'F', 2, 1});

        assertThat(ElfHeader.isDynamic(Path.of(System.getProperty("java.home"), "bin", "java")))
                .isTrue();
        assertThat(List.of(script, torn, scratch, scratch.resolve("absent"))).noneMatch(ElfHeader::isDynamic);
    }
}
