package dev.holdfast.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Http;
import dev.holdfast.server.Http.Reply;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The files of the page, as they are served. Their behavior is tested in {@link BrowserTest}. */
class DashboardTest {

    private static final Path FOLDER = Path.of("../server/src/main/resources/dev/holdfast/server/view/dashboard");
    private static final Pattern IMPORT = Pattern.compile("(?:from|import) '\\./([a-z-]+\\.js)'");

    private static LockServer server;
    private static Http http;

    @BeforeAll
    static void start() {
        server = LockServer.builder().port(0).start();
        http = new Http(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    @Test
    void everyFileIsServedAndNoOther() throws IOException {
        TreeSet<String> there = new TreeSet<>();
        files().forEach(file -> there.add(file.getFileName().toString()));

        assertThat(new TreeSet<>(new Dashboard().paths().values())).isEqualTo(there);
        assertThat(http.get("/").is(200).response().body()).startsWith("<!doctype html>");
        http.get("/dashboard/").isProblem(404, "not-found");
        http.get("/dashboard/../openapi.json").isProblem(404, "not-found");
        http.get("/dashboard/%2e%2e/openapi.json");
        assertThat(http.get("/dashboard/%2e%2e%2fopenapi.json").status()).isBetween(400, 499);
    }

    @Test
    void nothingComesFromElsewhereAndNothingIsInline() throws IOException {
        for (Path file : files()) {
            String text = Files.readString(file);
            assertThat(text)
                    .as("%s", file)
                    .doesNotContainPattern("(src|href)=\"(https?:)?//")
                    .doesNotContainPattern("@import|url\\(")
                    .doesNotContainPattern(
                            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(|new Function");
        }
        assertThat(Files.readString(FOLDER.resolve("index.html")))
                .doesNotContain("<style", "style=")
                .doesNotContainPattern("<script(?![^>]*src=)")
                .doesNotContainPattern(" on[a-z]+=");
    }

    @Test
    void everyImportIsThere() throws IOException {
        List<String> imported = new ArrayList<>();
        for (Path file : files()) {
            Matcher matcher = IMPORT.matcher(Files.readString(file));
            while (matcher.find()) {
                imported.add(matcher.group(1));
            }
        }
        assertThat(imported).hasSizeGreaterThan(20);
        for (String name : imported) {
            assertThat(http.get("/dashboard/" + name)
                            .is(200)
                            .response()
                            .headers()
                            .firstValue("Content-Type"))
                    .contains("text/javascript; charset=utf-8");
        }
    }

    @Test
    void theBrowserIsToldToBeStrict() {
        for (String path : new Dashboard().paths().keySet()) {
            var headers = http.get(path).is(200).response().headers();
            assertThat(headers.firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy)
                            .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                            .doesNotContain("unsafe", "*"));
            assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(headers.firstValue("Referrer-Policy")).contains("no-referrer");
        }
    }

    @Test
    void whatTheBrowserHasIsNotSentAgain() {
        String tag = http.get("/").response().headers().firstValue("ETag").orElseThrow();

        Reply again = http.send(http.request("/").header("If-None-Match", tag).build());

        assertThat(again.status()).isEqualTo(304);
        assertThat(again.response().body()).isEmpty();
    }

    /** It holds no secret, so that it can ask for one. */
    @Test
    void thePageIsThereWithoutAToken() {
        try (LockServer guarded = LockServer.builder()
                .port(0)
                .tokens(List.of(
                        new AccessToken("a", "secret-of-the-reader-0123", List.of(""), java.util.Set.of(Right.READ))))
                .start()) {
            new Http(guarded).get("/").is(200);
            new Http(guarded).get("/v1/overview").isProblem(401, "unauthorized");
        }
    }
}
