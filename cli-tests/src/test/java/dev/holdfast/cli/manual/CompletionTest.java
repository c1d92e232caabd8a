package dev.holdfast.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Cli;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types lines with tabs into real shells on terminals of their own, and compares the arguments that arrive. A tab completes what has one completion only, so each
 * line shows that nothing else was offered.
 */
class CompletionTest {

    /** The arguments that arrive, by the line that is typed. */
    private static final Map<String, String> LINES = Map.ofEntries(
            Map.entry("stat\tx", "status|x"),
            Map.entry("run --wa\t 5 --mode N\t x", "run|--wait|5|--mode|NL|x"),
            Map.entry("run --mode=N\t x", "run|--mode=NL|x"),
            Map.entry("run --on-lost k\t x", "run|--on-lost|kill|x"),
            Map.entry("elect --restart on\t x", "elect|--restart|on-failure|x"),
            Map.entry("break --tok\t 5 --y\t x", "break|--token|5|--yes|x"),
            Map.entry("completion z\t", "completion|zsh"),
            Map.entry("dev resta\t 1 --fo\t", "dev|restart|1|--forget"),
            // two completions: restart and resume
            Map.entry("dev re\tX", "dev|resX"),
            // a value is no command, even if it is the name of one
            Map.entry(
                    "--node status --node=list --node redis://a:6379 no\t",
                    "--node|status|--node=list|--node|redis://a:6379|nodes"),
            Map.entry("run status elect --jso\t", "run|status|elect|--jso"),
            Map.entry("list orders: --js\t", "list|orders:|--json"),
            // files
            Map.entry("--config cer\t status x", "--config|cert.pem|status|x"),
            Map.entry("--config two\t status x", "--config|two words.txt|status|x"),
            Map.entry("cluster backup cer\t --node list", "cluster|backup|cert.pem|--node|list"),
            Map.entry("serve --data onlydir\tX", "serve|--data|onlydirectory/X"),
            // the command under a lock is a command line of its own
            Map.entry("run dev holdfast-chil\t cer\t", "run|dev|holdfast-child|cert.pem"),
            Map.entry("run --ttl 5 dev -- holdfast-chil\t --json", "run|--ttl|5|dev|--|holdfast-child|--json"),
            Map.entry("run -- -dev -- holdfast-chil\t", "run|--|-dev|--|holdfast-child"),
            Map.entry("elect a holdfast-child --no-such cer\t", "elect|a|holdfast-child|--no-such|cert.pem"),
            // after -- nothing is an option
            Map.entry("list -- --js\t", "list|--|--js"));

    /** The command that is completed. It writes its arguments to a file and counts its calls in the prompt. */
    private static final String RECORD = """
            PATH=$PWD:$PATH
            holdfast() { printf '%s|' "$@" >> arrived; echo >> arrived; (( ++ran )); }
            ran=0
            PS1='ready$ran> '
            """;

    @TempDir
    private Path folder;

    @Test
    void bashCompletesWhatUsersType() throws Exception {
        Files.writeString(
                folder.resolve("rc"),
                "source ./completions; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'\n" + RECORD);

        assertCompletes("bash", "exec bash --noprofile --rcfile rc -i");
    }

    @Test
    void zshCompletesWhatUsersType() throws Exception {
        Files.writeString(
                folder.resolve(".zshrc"),
                "autoload -Uz compinit && compinit -u -D; source ./completions; unsetopt beep; setopt promptsubst\n"
                        + RECORD);

        assertCompletes("zsh", "ZDOTDIR=$PWD exec zsh -d -i");
    }

    private void assertCompletes(String shell, String start) throws Exception {
        Assumptions.assumeTrue(isInstalled(shell), () -> "there is no " + shell);
        try (Cli cli = new Cli(folder)) {
            Files.writeString(
                    folder.resolve("completions"), cli.run("completion", shell).out());
        }
        Files.createFile(folder.resolve("cert.pem"));
        Files.createFile(folder.resolve("two words.txt"));
        Files.createDirectory(folder.resolve("onlydirectory"));
        Files.createFile(folder.resolve("onlydirectory.txt"));
        assertThat(Files.createFile(folder.resolve("holdfast-child")).toFile().setExecutable(true))
                .isTrue();
        List<String> typed = LINES.keySet().stream().sorted().toList();

        Process terminal = new ProcessBuilder("script", "-q", "-c", start, "/dev/null")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("shown").toFile())
                .start();
        try (OutputStream keys = terminal.getOutputStream()) {
            for (int i = 0; i < typed.size(); i++) {
                awaitPrompt(i);
                keys.write(("holdfast " + typed.get(i) + "\n").getBytes(StandardCharsets.UTF_8));
                keys.flush();
            }
            awaitPrompt(typed.size());
        } finally {
            terminal.destroyForcibly();
        }

        List<String> arrived = Files.readAllLines(folder.resolve("arrived"));
        assertThat(arrived).hasSameSizeAs(typed);
        for (int i = 0; i < typed.size(); i++) {
            String line = typed.get(i);
            assertThat(arrived.get(i)).as("%s after %s", shell, line).isEqualTo(LINES.get(line) + "|");
        }
    }

    /** Waits until the shell reads keys. Keys that are typed before the prompt may reach the terminal instead. */
    private void awaitPrompt(int ranBefore) {
        Awaitility.await("prompt " + ranBefore)
                .atMost(Cli.PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> Files.readString(folder.resolve("shown")).contains("ready" + ranBefore + "> "));
    }

    private static boolean isInstalled(String program) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v script && command -v " + program)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
