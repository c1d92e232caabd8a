package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.redis.process.FreePort;
import dev.holdfast.server.AccessToken;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.Right;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bootstrap}, as a process. */
@Tag("slow")
class BootstrapTest {

    private static final String OPERATOR = "operator-0123456789abcdef0123456789";
    private static final String CLIENT = "client-0123456789abcdef0123456789";

    @TempDir
    private Path folder;

    private final List<LockServer> servers = new ArrayList<>();
    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(folder).patient();
        for (int number = 0; number < 3; number++) {
            servers.add(LockServer.builder()
                    .port(0)
                    .data(folder.resolve("server" + number))
                    .tokens(List.of(
                            new AccessToken("operator", OPERATOR, List.of(""), EnumSet.allOf(Right.class)),
                            new AccessToken("client", CLIENT, List.of(""), EnumSet.of(Right.ACQUIRE))))
                    .start());
        }
    }

    @AfterEach
    void stop() {
        cli.close();
        servers.forEach(LockServer::close);
    }

    private List<String> uris(String secret) {
        return servers.stream()
                .map(server -> server.nodeUri().replace("://", "://:" + secret + "@"))
                .toList();
    }

    private Running bootstrap(List<String> nodes, String... options) {
        List<String> words = new ArrayList<>(List.of("bootstrap"));
        nodes.forEach(node -> words.add("--node=" + node));
        words.addAll(List.of(options));
        return cli.run(words.toArray(String[]::new));
    }

    private void assertRefused(int exitCode, Running run, String... said) {
        assertThat(run.exitCode()).as("%s", run).isEqualTo(exitCode);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).hasLineCount(1).contains(said).doesNotContain(OPERATOR, CLIENT, "Exception");
    }

    /** With a ttl of an hour, a client counts nodes of this age only if they were bootstrapped. */
    private void lock() {
        try (Holdfast holdfast = Holdfast.builder()
                .nodes(uris(CLIENT).toArray(String[]::new))
                .ttl(Duration.ofHours(1))
                .connect()) {
            holdfast.lock("orders:42").acquire(Cli.PATIENCE).release();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aNewSetVotesAtOnceAndIsNotNewAfterwards() {
        List<String> nodes = uris(OPERATOR);
        assertRefused(
                64,
                bootstrap(nodes),
                "would bootstrap the set of 3 new nodes",
                servers.get(2).nodeUri(),
                "--yes");

        Running done = bootstrap(nodes, "--yes");
        assertThat(done.exitCode()).as("%s", done).isZero();
        assertThat(done.err()).isEmpty();
        assertThat(done.out()).startsWith("bootstrapped: holdfast://127.0.0.1:").doesNotContain(OPERATOR);
        Running again = bootstrap(nodes, "--yes", "--json");
        assertThat(again.exitCode()).as("%s", again).isZero();
        assertThat(again.out()).startsWith("{\"outcome\":\"bootstrapped\",\"nodes\":[\"holdfast://127.0.0.1:");

        lock();
        assertRefused(1, bootstrap(nodes, "--yes"), "the set is not new: clients have used holdfast://127.0.0.1:");
    }

    @Test
    void aNodeThatCannotBeReachedIsNamedAndNothingChanges() {
        List<String> nodes = new ArrayList<>(uris(OPERATOR));
        nodes.add("holdfast://127.0.0.1:" + FreePort.pick());

        assertRefused(69, bootstrap(nodes, "--yes"), "3 of 4 nodes answered", nodes.get(3), "nothing was changed");

        for (int number = 0; number < 3; number++) {
            assertThat(journal(number)).contains("newSinceMillis");
        }
    }

    private String journal(int number) {
        try {
            return Files.readString(folder.resolve("server" + number).resolve("promises"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void mistakesAreNamed() {
        List<String> nodes = uris(OPERATOR);
        assertRefused(64, bootstrap(nodes.subList(0, 1), "--yes"), "only 1 of them are named");
        assertRefused(
                64,
                bootstrap(List.of(nodes.get(0), nodes.get(1), nodes.get(0)), "--yes"),
                servers.get(0).nodeUri() + " is named twice");
        assertRefused(
                64,
                bootstrap(List.of(nodes.get(0), nodes.get(1), nodes.get(0).replace("127.0.0.1", "localhost")), "--yes"),
                "are the same server");
        assertRefused(
                64, bootstrap(List.of(nodes.get(0), nodes.get(1), "redis://a"), "--yes"), "only lock servers", "redis");
        assertRefused(64, bootstrap(List.of(nodes.get(0), nodes.get(1), "holdfast://a/b"), "--yes"), "URI");
        assertRefused(64, bootstrap(uris(CLIENT), "--yes"), "the right 'admin'");
        assertRefused(64, bootstrap(uris("wrong"), "--yes"), "token");
        assertRefused(64, bootstrap(nodes, "--yes", "surplus"), "surplus");
    }

    @Test
    void aServerWithoutAFolderCannotBeBootstrapped() {
        LockServer server = LockServer.builder().port(0).start();
        servers.set(2, server).close();
        List<String> nodes = new ArrayList<>(uris(OPERATOR).subList(0, 2));
        nodes.add(server.nodeUri());

        assertRefused(64, bootstrap(nodes, "--yes"), "runs without --data");
    }
}
