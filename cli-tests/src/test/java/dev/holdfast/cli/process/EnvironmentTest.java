package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.cli.Processes;
import dev.holdfast.redis.process.RedisProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The environment of a command under a lock, with variables that shells such as dash drop, because their names are no identifiers. */
@Tag("slow")
class EnvironmentTest {

    private static final String[] VARIABLES = {
        "my-var=1", "spring.datasource.url=a b", "1st=2\n3", "BASH_FUNC_kill%%=() {  false\n}"
    };

    private static RedisProcess server;

    @TempDir
    private Path folder;

    private Cli cli;

    @BeforeAll
    static void startServer() {
        server = RedisProcess.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void set() {
        cli = new Cli(folder).patient().nodes(List.of(server.uri()));
        for (String variable : VARIABLES) {
            int end = variable.indexOf('=');
            cli.with(variable.substring(0, end), variable.substring(end + 1));
        }
    }

    @AfterEach
    void close() {
        cli.close();
    }

    @Test
    void theCommandGetsAllVariables() {
        Running run = cli.run("run", "environment", "--", "env");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains(VARIABLES).contains("HOLDFAST_LOCK=environment\n");
    }

    @Test
    void theCommandGetsAllVariablesWithoutBash() throws Exception {
        Path programs = Files.createDirectory(folder.resolve("programs"));
        for (String name : List.of("sh", "setsid", "env", "sleep")) {
            Path program = CommandPath.find(name, Child.path()).orElse(null);
            Assumptions.assumeTrue(program != null, name);
            Files.createSymbolicLink(programs.resolve(name), program.toRealPath());
        }
        cli.with("PATH", programs.toString());

        assertThat(cli.run("run", "environment", "--", "env").out()).contains(VARIABLES);

        Running run = cli.start("run", "environment", "--", "sh", "-c", "echo $$; sleep 1000");
        long command = Long.parseLong(run.awaitLines(1).get(0));
        run.signal("KILL");
        Processes.awaitGone(command);
    }

    @Test
    void aJobStillHasTheTerminal() {
        for (String name : List.of("script", "bash")) {
            Assumptions.assumeTrue(CommandPath.find(name, Child.path()).isPresent(), name);
        }
        String bash = CommandPath.find("bash", Child.path()).orElseThrow().toString();
        cli.with("SHELL", bash).atTerminal(); // script of util-linux starts this shell

        Running run = cli.start("run", "environment", "--", "sh", "-c", "echo ready; read line < /dev/tty; echo $line");
        assertThat(run.awaitLines(1)).containsExactly("ready");
        run.type("a secret\n");

        assertThat(run.exitCode()).isZero();
    }

    @Test
    void theLaunchersVariablesArePutBack() {
        Map<String, String> environment = new HashMap<>(Map.of("A", "1", "b.c", "2"));
        environment.put("HOLDFAST_DROPPED_VARIABLES", "622e633d39006d792d7661723d313d320a33003d00");

        DroppedVariables.restore(environment);

        assertThat(environment).isEqualTo(Map.of("A", "1", "b.c", "2", "my-var", "1=2\n3"));
    }
}
