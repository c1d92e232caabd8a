package dev.holdfast.server.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.Http;
import dev.holdfast.server.LockServer;
import dev.holdfast.time.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of the history on disk, which survives a restart of the server. */
@Tag("slow")
class LockHistoryTest {

    @TempDir
    Path data;

    private LockServer start() {
        return LockServer.builder().port(0).data(data).start();
    }

    private static List<String> types(JsonNode events) {
        List<String> types = new ArrayList<>();
        events.forEach(event -> types.add(event.get("type").stringValue()));
        return types;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("history"))) {
            return files.sorted().toList();
        }
    }

    @Test
    void theHistorySurvivesARestart() {
        long before;
        try (LockServer server = start()) {
            Http http = new Http(server);
            before = http.get("/v1/history?lock=a").number("atMillis") - 1_000;
            for (int i = 0; i < 5; i++) {
                http.release(http.acquire("{'lock':'a'}").is(201)).is(200);
            }
            http.acquire("{'lock':'b'}").is(201);
            http.acquire("{'lock':'gone','ttl':'50ms'}").is(201);
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .until(() -> http.get("/v1/overview").number("expired") == 1);
        }
        try (LockServer server = start()) {
            Http http = new Http(server);
            JsonNode memory = http.get("/v1/history?lock=a").is(200).json();
            assertThat(memory.get("events")).isEmpty();

            JsonNode all = http.get("/v1/history?lock=a&from=" + before).is(200).json();
            assertThat(types(all.get("events")))
                    .hasSize(10)
                    .startsWith("granted", "released")
                    .doesNotContain("extended");
            assertThat(all.get("fromMillis").longValue()).isGreaterThanOrEqualTo(before);
            assertThat(types(all.get("incidents")).stream().filter("server-started"::equals))
                    .hasSize(2);
            assertThat(http.get("/v1/history?lock=a&from=" + before + "&to=" + (before + 1))
                            .json()
                            .get("events"))
                    .isEmpty();
            assertThat(http.get("/v1/status?lock=a").json().get("holds").get("millis"))
                    .hasSize(5);
            assertThat(types(http.get("/v1/losses").json().get("losses"))).containsExactly("expired");
            http.get("/v1/history?lock=a&from=x").isProblem(400, "bad-request");
        }
    }

    @Test
    void oldFilesAreDeletedAndOtherFilesAreLeft() throws IOException {
        start().close();
        Path folder = data.resolve("history");
        long hour = Long.parseLong(files().get(0).getFileName().toString().replace(".jsonl", ""));
        Path old = Files.writeString(folder.resolve(hour - 26 + ".jsonl"), "");
        Path young = Files.writeString(folder.resolve(hour - 23 + ".jsonl"), "");
        Path other = Files.writeString(folder.resolve("notes.txt"), "");
        try (LockServer server = start()) {
            new Http(server).acquire("{'lock':'a'}").is(201);
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .untilAsserted(() -> assertThat(files()).doesNotContain(old));
        }
        assertThat(files()).contains(young, other);
    }

    @Test
    void aLineThatACrashHasCutIsSkipped() throws IOException {
        try (LockServer server = start()) {
            new Http(server).acquire("{'lock':'a'}").is(201);
        }
        List<Path> files = files();
        Files.writeString(
                files.get(files.size() - 1), "{\"type\":\"granted\",\"lock\":\"a\",\n", StandardOpenOption.APPEND);
        try (LockServer server = start()) {
            assertThat(types(new Http(server)
                            .get("/v1/history?lock=a&from=0")
                            .is(200)
                            .json()
                            .get("events")))
                    .contains("granted");
        }
    }

    /** The cut is within a character of two bytes, and there is no end of the line. */
    @Test
    void aCharacterThatACrashHasCutIsSkipped() throws IOException {
        try (LockServer server = start()) {
            new Http(server).acquire("{'lock':'ä'}").is(201);
        }
        List<Path> files = files();
        Files.write(
                files.get(files.size() - 1),
                new byte[] {'{', '"', 'l', '"', ':', '"', (byte) 0xC3},
                StandardOpenOption.APPEND);
        try (LockServer server = start()) {
            Http http = new Http(server);
            Awaitility.await()
                    .atMost(Http.PATIENCE)
                    .untilAsserted(() -> assertThat(types(http.get("/v1/history?lock=%C3%A4&from=0")
                                    .is(200)
                                    .json()
                                    .get("incidents")))
                            .filteredOn("server-started"::equals)
                            .hasSize(2));
            assertThat(types(http.get("/v1/history?lock=%C3%A4&from=0").json().get("events")))
                    .contains("granted");
        }
    }

    @Test
    void theHistoryOnDiskCanBeSwitchedOff() {
        try (LockServer server =
                LockServer.builder().port(0).data(data).history(Duration.ZERO).start()) {
            new Http(server).acquire("{'lock':'a'}").is(201);
            assertThat(new Http(server).get("/v1/history?lock=a&from=0").number("keptMillis"))
                    .isEqualTo(600_000);
        }
        assertThat(data.resolve("history")).doesNotExist();
        assertThatThrownBy(() -> LockServer.builder().history(Duration.ofDays(31)))
                .hasMessageContaining("history is 31 d, but must be from 0 s to 30 d");
    }

    /** A query of a long time reads hundreds of megabytes. Other queries may wait for it, but neither events nor the end of the server do. */
    @Test
    void aLongQueryDelaysNeitherTheWriterNorTheEnd() {
        start().close();
        start().close();
        Timing timing = Timing.system("history-test");
        HistoryFiles files = new HistoryFiles(data.resolve("history"), Duration.ofDays(1), timing);
        AtomicInteger lines = new AtomicInteger();

        files.read(
                0,
                Long.MAX_VALUE,
                line -> {
                    lines.incrementAndGet();
                    CompletableFuture<Void> closing = CompletableFuture.runAsync(files::close);
                    assertThat(closing).succeedsWithin(Http.PATIENCE);
                    return false;
                },
                event -> {});

        assertThat(lines).as("ends once the files are closed").hasValue(1);
        timing.scheduler().close();
    }
}
