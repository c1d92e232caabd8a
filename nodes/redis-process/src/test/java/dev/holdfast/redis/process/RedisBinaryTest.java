package dev.holdfast.redis.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisBinaryTest {

    private static final String RESOURCE =
            CarriedRedis.resource(System.getProperty("os.name"), System.getProperty("os.arch"));

    @TempDir
    Path directory;

    @Test
    void saysWhatItIs() {
        assertThat(RedisBinary.find().version()).matches("(Redis|Valkey) \\d+\\.\\d+\\.\\d+.*");
    }

    @ParameterizedTest
    @CsvSource({
        "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=a, Redis 7.0.15",
        "Valkey server v=8.0.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=a, Valkey 8.0.1",
        "Server v=7.2.14 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=a, Valkey 7.2.14"
    })
    void readsWhatEachServerPrints(String printed, String version) throws Exception {
        Path server = Files.writeString(directory.resolve("server"), "#!/bin/sh\necho '" + printed + "'\n");
        assertThat(server.toFile().setExecutable(true)).isTrue();

        assertThat(new RedisBinary(server).version()).isEqualTo(version);
    }

    @Test
    void theVariableWinsOverAllElse() {
        Path binary = CarriedRedis.in(directory, RESOURCE);

        assertThat(RedisBinary.find(Map.of(RedisBinary.VARIABLE, binary.toString())))
                .isEqualTo(new RedisBinary(binary));
    }

    @Test
    void aVariableThatNamesNothingExecutableIsAnErrorThatSaysSo() throws Exception {
        Path text = Files.writeString(directory.resolve("redis-server"), "no program");

        for (String wrong : List.of(text.toString(), directory.toString(), directory + "/absent")) {
            assertThatThrownBy(() -> RedisBinary.find(Map.of(RedisBinary.VARIABLE, wrong)))
                    .isInstanceOf(RedisStartException.class)
                    .hasMessageContaining("HOLDFAST_REDIS_SERVER=" + wrong + " is not an executable file");
        }
    }

    @Test
    void aProgramThatIsNoRedisIsAnErrorThatSaysSo() {
        assertThatThrownBy(() -> new RedisBinary(Path.of("/bin/echo")).version())
                .isInstanceOf(RedisStartException.class)
                .hasMessageContaining("does not answer like a Redis server");
    }

    @Test
    void valkeyOnThePathWinsOverRedisThere() throws Exception {
        Path first = Files.createDirectory(directory.resolve("first"));
        Path second = Files.createDirectory(directory.resolve("second"));
        Path redis = Files.copy(Path.of("/bin/sh"), first.resolve("redis-server"));
        Path valkey = Files.copy(Path.of("/bin/sh"), second.resolve("valkey-server"));

        assertThat(RedisBinary.find(Map.of("PATH", first + ":" + second)).path())
                .isEqualTo(valkey);
        assertThat(RedisBinary.find(Map.of("PATH", ":" + first)).path()).isEqualTo(redis);
    }

    @Test
    void theCarriedOneIsKeptInTheCacheOfTheUser() {
        assertThat(CarriedRedis.directory(Map.of("XDG_CACHE_HOME", directory.toString())))
                .isEqualTo(directory.resolve("holdfast"));
        assertThat(CarriedRedis.directory(Map.of("XDG_CACHE_HOME", "relative/is/ignored")))
                .isAbsolute()
                .endsWith(Path.of(".cache", "holdfast"));
    }

    @Test
    void aFileThatIsHalfWrittenOrChangedIsReplaced() throws Exception {
        Path binary = CarriedRedis.in(directory, RESOURCE);
        byte[] whole = Files.readAllBytes(binary);
        byte[] changed = whole.clone();
        changed[changed.length / 2] ^= 1;

        for (byte[] wrong : List.of(new byte[0], new byte[1000], changed)) {
            Files.write(binary, wrong);
            assertThat(CarriedRedis.in(directory, RESOURCE)).isEqualTo(binary).hasBinaryContent(whole);
        }
        assertThat(directory.toFile().list()).containsExactly(RESOURCE);
    }

    @Test
    void manyAtOnceGetAWholeFile() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<String>> versions = IntStream.range(0, 8)
                    .mapToObj(i -> threads.submit(() -> {
                        Path binary = CarriedRedis.in(directory, RESOURCE);
                        try (RedisProcess server =
                                RedisProcess.start(RedisOptions.defaults().binary(new RedisBinary(binary)))) {
                            return server.info().version();
                        }
                    }))
                    .toList();
            for (Future<String> version : versions) {
                assertThat(version.get()).isEqualTo("7.0.15");
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(directory.toFile().list()).containsExactly(RESOURCE);
    }

    @Test
    void theJarCarriesOneForEachCommonMachine() {
        assertThat(CarriedRedis.resource("Linux", "amd64")).isEqualTo("redis-server-7.0.15-linux-amd64");
        assertThat(CarriedRedis.resource("Linux", "aarch64")).isEqualTo("redis-server-7.0.15-linux-arm64");
        assertThat(CarriedRedis.resource("Mac OS X", "x86_64")).isEqualTo("redis-server-7.0.15-darwin-amd64");
        assertThat(CarriedRedis.resource("Mac OS X", "aarch64")).isEqualTo("redis-server-7.0.15-darwin-arm64");
        assertThatThrownBy(() -> CarriedRedis.resource("Plan 9", "mips"))
                .isInstanceOf(RedisStartException.class)
                .hasMessageContaining("Plan 9 on mips");
    }
}
