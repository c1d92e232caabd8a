package dev.holdfast.quarkus.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.redis.process.SentinelSet;
import dev.holdfast.redis.process.TestAuthority;
import dev.holdfast.redis.process.TlsFiles;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged application in two instances, which take turns. */
@Tag("slow")
class SampleTest {

    private static final Path APPLICATION = Path.of("target/quarkus-app/quarkus-run.jar");
    private static final Pattern LISTENING = Pattern.compile("Listening on: http://[^:]+:(\\d+)");
    private static final int PIECES = 20;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String PASSWORD = "of-all-nodes";

    /** A round each four seconds. The lock stays held for two of them, longer than a busy machine delays an instance. */
    private static final String SLOW_ROUNDS = "-Dsample.count=0/4 * * * * ?";

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Instance> instances = new ArrayList<>();

    @TempDir
    Path folder;

    private record Instance(Process process, Path log) {

        int port() {
            Matcher line = LISTENING.matcher(text());
            return line.find() ? Integer.parseInt(line.group(1)) : 0;
        }

        String text() {
            try {
                return Files.readString(log);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private record Piece(int number, long token) {

        static Piece of(HttpResponse<String> response) {
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            String[] parts = response.body().split(" ");
            return new Piece(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
        }
    }

    private Instance start(String nodes, String name, String... settings) throws IOException {
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Dquarkus.http.port=0",
                "-Dsample.folder=" + folder,
                "-Dquarkus.holdfast.nodes=" + nodes));
        command.addAll(List.of(settings));
        command.addAll(List.of("-jar", APPLICATION.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Instance instance = new Instance(process, log);
        instances.add(instance);
        return instance;
    }

    private static String uris(RedisProcesses nodes) {
        return nodes.uris().stream().map(URI::toString).collect(Collectors.joining(","));
    }

    private HttpResponse<String> ready(Instance instance) {
        try {
            return http.send(to(instance, "/q/health/ready").build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitStart(Instance instance) {
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            assertThat(instance.process().isAlive()).as(instance.text()).isTrue();
            return instance.port() > 0;
        });
    }

    private HttpRequest.Builder to(Instance instance, String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + instance.port() + path));
    }

    private CompletableFuture<Piece> take(Instance instance, String article) {
        HttpRequest request = to(instance, "/stock/" + article)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(Piece::of);
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Instance instance : instances) {
            instance.process().destroyForcibly().waitFor();
        }
    }

    @Test
    void twoInstancesTakeTurns() throws Exception {
        try (RedisProcesses nodes = RedisProcesses.start(1)) {
            Instance first = start(uris(nodes), "first");
            Instance second = start(uris(nodes), "second");
            awaitStart(first);
            awaitStart(second);

            List<CompletableFuture<Piece>> all = IntStream.range(0, PIECES)
                    .mapToObj(piece -> take(piece % 2 == 0 ? first : second, "bolt"))
                    .toList();
            List<Piece> pieces = all.stream()
                    .map(CompletableFuture::join)
                    .sorted(Comparator.comparing(Piece::number))
                    .toList();

            assertThat(pieces)
                    .extracting(Piece::number)
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, PIECES).boxed().toList());
            assertThat(pieces).extracting(Piece::token).isSorted();
            assertThat(ready(first).body()).contains("Holdfast lock nodes", "1 of 1, 1 are needed");
            assertThat(first.text()).contains("Client stock@", " locks on 1 node; locks do not survive its loss");

            first.process().destroyForcibly().waitFor();
            assertThat(take(second, "bolt").get().number()).isEqualTo(PIECES + 1);
            await().atMost(SOON).until(() -> Files.exists(folder.resolve("rounds.txt")));
        }
    }

    @Test
    void e25_nodesWithTlsAndSentinelsAreCheckedAtTheStartAndWatched() throws Exception {
        TlsFiles files = TestAuthority.in(folder.resolve("trusted"))
                .certify("server", "DNS:localhost", -1, 2)
                .mutual();
        try (RedisProcess secured =
                        RedisProcess.start(RedisOptions.defaults().tls(files).password(PASSWORD));
                SentinelSet sentinels = SentinelSet.start();
                RedisProcesses plain = RedisProcesses.start(1)) {
            String nodes = "rediss://:" + PASSWORD + "@localhost:"
                    + secured.tlsUri().getPort() + "," + sentinels.uri() + "," + uris(plain);
            String[] settings = {
                "-Dquarkus.holdfast.check-nodes-at-start=true",
                "-Dquarkus.holdfast.node.connect-timeout=30",
                "-Dquarkus.holdfast.node.tls.trusted-certificates=" + files.authority(),
                "-Dquarkus.holdfast.node.tls.client-certificate=" + files.certificate(),
                "-Dquarkus.holdfast.node.tls.client-key=" + files.key()
            };
            Instance instance = start(nodes, "instance", settings);
            awaitStart(instance);
            assertThat(take(instance, "bolt").get().number()).isEqualTo(1);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(ready(instance).body()).contains("3 of 3, 2 are needed"));
            assertThat(ready(instance).statusCode()).isEqualTo(200);

            plain.node(0).kill();
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(ready(instance).body()).contains("2 of 3, 2 are needed"));
            assertThat(ready(instance).statusCode()).isEqualTo(200);
            assertThat(take(instance, "bolt").get().number()).isEqualTo(2);
            secured.kill();
            await().atMost(SOON).untilAsserted(() -> {
                HttpResponse<String> down = ready(instance);
                assertThat(down.statusCode()).isEqualTo(503);
                assertThat(down.body()).contains("1 of 3, 2 are needed").doesNotContain(PASSWORD);
            });

            Instance refused = start(nodes, "refused", settings);
            assertThat(refused.process().waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(refused.process().exitValue()).isNotZero();
            assertThat(refused.text())
                    .contains("quarkus.holdfast.nodes: 1 of 3 nodes can be reached, but a majority is required")
                    .doesNotContain(PASSWORD);
        }
    }

    /** {@code -Dholdfast.sample.rounds} makes the run longer. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void e25_aJobRunsOnceARoundOnPostgresqlAlthoughInstancesAreKilled() throws Exception {
        int rounds = Integer.getInteger("holdfast.sample.rounds", 12);
        Random random = new Random(7);
        try (EmbeddedPostgres database = EmbeddedPostgres.start()) {
            String node = "postgresql://postgres@localhost:" + database.getPort() + "/postgres";
            for (int i = 0; i < 3; i++) {
                start(node, "instance-" + i, SLOW_ROUNDS);
            }
            List.copyOf(instances).forEach(this::awaitStart);
            int kills = 0;
            for (int known = rounds().size(); known < rounds; known = rounds().size()) {
                int more = known + 4;
                await().atMost(SOON).until(() -> rounds().size() >= more);
                int victim = random.nextInt(3);
                instances.get(victim).process().destroyForcibly().waitFor();
                kills++;
                instances.set(victim, start(node, "instance-" + victim + "-" + kills, SLOW_ROUNDS));
            }

            assertThat(kills).isGreaterThanOrEqualTo(rounds / 4);
            assertThat(rounds()).doesNotHaveDuplicates();
        }
    }

    /** The rounds that ran, each by the second for which it was scheduled. */
    private List<Long> rounds() {
        try {
            return Files.readAllLines(folder.resolve("history.txt")).stream()
                    .map(line -> Instant.parse(line).getEpochSecond())
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
