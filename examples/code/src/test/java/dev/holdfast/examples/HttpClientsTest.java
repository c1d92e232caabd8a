package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.server.AccessToken;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The clients of {@code examples/clients}, each in its own language, against a server. A language that is not installed is skipped. */
@Tag("slow")
class HttpClientsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final Pattern TOKEN = Pattern.compile("\"token\":([0-9]+)");

    /** A language, and how its program is run. */
    enum Language {
        CURL("holdfast.sh", List.of("sh"), List.of("curl", "--version")),
        NODE("holdfast.mjs", List.of("node"), List.of("node", "--version")),
        PYTHON("holdfast.py", List.of("python3"), List.of("python3", "--version"));

        final Path script;
        final List<String> runner;
        final List<String> check;

        Language(String file, List<String> runner, List<String> check) {
            this.script = Path.of("..", "clients", file).toAbsolutePath();
            this.runner = runner;
            this.check = check;
        }

        boolean isThere() throws Exception {
            return works(check);
        }
    }

    private static boolean works(List<String> command) throws Exception {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @TempDir
    private Path folder;

    private LockServer server;
    private String address;
    private final List<Process> processes = new ArrayList<>();
    private int number;

    @BeforeEach
    void start() {
        server = LockServer.builder()
                .port(0)
                .tokens(List.of(new AccessToken("clients", SECRET, List.of("orders:"), Set.of(Right.values()))))
                .start();
        address = server.uri().toString();
    }

    @AfterEach
    void stop() {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        server.close();
    }

    private record Client(Process process, Path out, Path err) {

        int exitCode() throws InterruptedException {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("it ends: %s", this)
                    .isTrue();
            return process.exitValue();
        }

        String text() {
            try {
                return Files.readString(out) + Files.readString(err);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String toString() {
            return text();
        }
    }

    private Client client(Language language, String wait, String... arguments) throws Exception {
        Client client = start(language, List.of(), wait, arguments);
        client.process().getOutputStream().close();
        return client;
    }

    /** Starts a client in a process group of its own, whose leader it is, as a terminal does. */
    private Client atTerminal(Language language, String... arguments) throws Exception {
        List<String> group = List.of("env", "--default-signal=INT", "setsid");
        assumeTrue(works(List.of("env", "--default-signal=INT", "setsid", "true")), () -> group + " does not work");
        return start(language, group, "60s", arguments);
    }

    /** Sends SIGINT to the client's process group, as a terminal does at Ctrl-C. */
    private static void interrupt(Client client) throws Exception {
        assertThat(works(List.of("kill", "-INT", "--", "-" + client.process().pid())))
                .isTrue();
    }

    private Client start(Language language, List<String> before, String wait, String... arguments) throws Exception {
        assumeTrue(language.isThere(), () -> language + " is not on this machine");
        List<String> command = new ArrayList<>(before);
        command.addAll(language.runner);
        command.add(language.script.toString());
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out" + ++number);
        Path err = folder.resolve("err" + number);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("HOLDFAST_SERVER", address);
        builder.environment().put("HOLDFAST_TOKEN", SECRET);
        builder.environment().put("HOLDFAST_TTL", "6s");
        builder.environment().put("HOLDFAST_WAIT", wait);
        Process process = builder.start();
        processes.add(process);
        return new Client(process, out, err);
    }

    private String ask(String path, String json) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.uri().resolve(path)).header("Authorization", "Bearer " + SECRET);
        if (!json.isEmpty()) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(json));
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static void until(String what, java.util.concurrent.Callable<Boolean> condition) {
        Awaitility.await(what).atMost(PATIENCE).until(condition);
    }

    private boolean isHeld() {
        return server.leases() == 1;
    }

    private int extensions() throws Exception {
        Matcher count =
                Pattern.compile("events_total\\{type=\"extended\"} ([0-9]+)").matcher(ask("/metrics", ""));
        assertThat(count.find()).isTrue();
        return Integer.parseInt(count.group(1));
    }

    /** Returns a command that runs until the file exists. */
    private static String[] until(String name, Path file) {
        return new String[] {
            name, "sh", "-c", "echo token $HOLDFAST_FENCING_TOKEN; until [ -e '" + file + "' ]; do sleep 0.1; done"
        };
    }

    @ParameterizedTest
    @EnumSource
    void itWorksUnderTheLockAndExtendsItUntilItIsDone(Language language) throws Exception {
        Path done = folder.resolve("done");
        Client first = client(language, "1s", until("orders:1", done));
        until("the lock is held", this::isHeld);
        Client second = client(language, "60s", "orders:1", "sh", "-c", "exit 7");
        until("the second one waits", () -> server.waiting() == 1);
        until("it is extended", () -> extensions() >= 4);
        assertThat(first.process().isAlive()).as("%s", first).isTrue();

        Files.createFile(done);

        assertThat(first.exitCode()).as("%s", first).isZero();
        assertThat(first.text()).containsPattern("token [1-9][0-9]+");
        assertThat(second.exitCode()).as("the command's own, %s", second).isEqualTo(7);
        until("all is released", () -> server.leases() == 0);
        assertThat(ask("/metrics", ""))
                .contains("events_total{type=\"released\"} 2.0", "events_total{type=\"expired\"} 0.0");
    }

    @ParameterizedTest
    @EnumSource
    void whenTheLockIsLostTheCommandIsEnded(Language language) throws Exception {
        Client client = client(language, "1s", until("orders:1", folder.resolve("never")));
        until("the command runs", () -> client.text().contains("token "));
        Matcher token = TOKEN.matcher(ask("/v1/status?lock=orders:1", ""));
        assertThat(token.find()).isTrue();

        ask("/v1/break", "{\"lock\":\"orders:1\",\"token\":" + token.group(1) + ",\"reason\":\"test\"}");

        assertThat(client.exitCode()).as("%s", client).isEqualTo(79);
        assertThat(client.text()).contains("the lock is lost");
        assertThat(client.process().descendants()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whenTheServerIsGoneTheLockIsLostInTime(Language language) throws Exception {
        Client client = client(language, "1s", until("orders:1", folder.resolve("never")));
        until("the command runs", () -> client.text().contains("token "));

        server.close();

        assertThat(client.exitCode()).as("%s", client).isEqualTo(79);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsRefusedIsSaid(Language language) throws Exception {
        ask("/v1/leases", "{\"lock\":\"orders:1\",\"ttl\":\"1h\"}");

        Client held = client(language, "200ms", "orders:1", "true");
        Client forbidden = client(language, "200ms", "bills:1", "true");

        assertThat(held.exitCode()).as("%s", held).isEqualTo(75);
        assertThat(held.text()).contains("orders:1").doesNotContain(SECRET);
        assertThat(forbidden.exitCode()).as("%s", forbidden).isEqualTo(75);
        assertThat(forbidden.text()).contains("begin with [orders:]");
    }

    @ParameterizedTest
    @EnumSource
    void aNameIsAText(Language language) throws Exception {
        Client empty = client(language, "200ms", "", "true");
        Client strange = client(language, "200ms", "orders:ü \"q\" \\ 1", "sh", "-c", "exit 7");

        assertThat(empty.exitCode()).as("%s", empty).isEqualTo(75); // no prefix of the token covers it
        assertThat(empty.text()).contains("'' does not");
        assertThat(strange.exitCode()).as("%s", strange).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void theAddressMayEndWithASlash(Language language) throws Exception {
        address += "/";

        Client client = client(language, "1s", "orders:1", "sh", "-c", "exit 7");

        assertThat(client.exitCode()).as("%s", client).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void eventsEndWithTheSameCodesAsACommand(Language language) throws Exception {
        Client forbidden = client(language, "1s", "--events", "bills:");
        assertThat(forbidden.exitCode()).as("%s", forbidden).isEqualTo(75);
        for (String wrong : List.of("http://127.0.0.1:1", "nonsense")) {
            address = wrong;
            for (String[] words : new String[][] {{"--events", "orders:"}, {"orders:1", "true"}}) {
                Client client = client(language, "1s", words);
                assertThat(client.exitCode()).as("%s", client).isEqualTo(69);
                assertThat(client.text()).contains(wrong.endsWith(":1") ? "127.0.0.1" : wrong);
                assertThat(client.text()).doesNotContain("Traceback", "    at ");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void eventsAreShownAsTheyCome(Language language) throws Exception {
        Client events = client(language, "1s", "--events", "orders:");
        until("it listens and shows a lock", () -> {
            ask("/v1/leases", "{\"lock\":\"orders:seen\",\"mode\":\"CR\",\"ttl\":\"1s\"}");
            return events.text().contains("\"lock\":\"orders:seen\"")
                    && events.text().contains("\"type\":\"granted\"");
        });
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsTheWait(Language language) throws Exception {
        ask("/v1/leases", "{\"lock\":\"orders:1\",\"ttl\":\"1h\"}");
        Client client = atTerminal(language, "orders:1", "true");
        until("it waits", () -> server.waiting() == 1);

        interrupt(client);

        assertThat(client.exitCode()).as("%s", client).isEqualTo(130);
        assertThat(client.text().lines().count()).as("%s", client).isLessThanOrEqualTo(1);
        until("it no longer waits", () -> server.waiting() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatIsKilledNoLongerWaits(Language language) throws Exception {
        ask("/v1/leases", "{\"lock\":\"orders:1\",\"ttl\":\"1h\"}");
        Client client = client(language, "1h", "orders:1", "true");
        until("it waits", () -> server.waiting() == 1);

        client.process().destroyForcibly();

        until("it no longer waits", () -> server.waiting() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsTheCommandAndReleasesTheLock(Language language) throws Exception {
        Client client = atTerminal(language, until("orders:1", folder.resolve("never")));
        until("the command runs", () -> client.text().contains("token "));

        interrupt(client);

        assertThat(client.exitCode()).as("%s", client).isEqualTo(130);
        assertThat(client.text()).doesNotContain("lost");
        assertThat(server.leases()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatIsHungUpEndsTheCommandAndReleasesTheLock(Language language) throws Exception {
        assumeFalse(isHangUpIgnored(), "SIGHUP is ignored, as under nohup, and the shell client can't change that");
        String[] command = until("orders:1", folder.resolve("never"));
        command[3] = "trap '' HUP; " + command[3];
        Client client = client(language, "1s", command);
        until("the command runs", () -> client.text().contains("token "));

        assertThat(works(List.of("kill", "-HUP", "" + client.process().pid()))).isTrue();

        assertThat(client.exitCode()).as("%s", client).isEqualTo(143);
        assertThat(server.leases()).isZero();
    }

    private static boolean isHangUpIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream().anyMatch(line -> line.matches("SigIgn:.*[13579bdf]"));
    }

    @ParameterizedTest
    @EnumSource
    void aCommandThatIsNoCommandReleasesTheLock(Language language) throws Exception {
        for (String command : List.of("", "no-such-command-of-anyone")) {
            Client client = client(language, "1s", "orders:1", command);

            assertThat(client.exitCode()).as("%s", client).isIn(126, 127);
            assertThat(client.text()).isNotEmpty().doesNotContain("Traceback", "    at ");
            assertThat(server.leases()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theCommandHasTheInput(Language language) throws Exception {
        Client client = start(language, List.of(), "1s", "orders:1", "cat");
        try (OutputStream input = client.process().getOutputStream()) {
            input.write("hello".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(client.exitCode()).as("%s", client).isZero();
        assertThat(client.text()).isEqualTo("hello");
    }
}
