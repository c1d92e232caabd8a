package dev.holdfast.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Cli;
import dev.holdfast.cli.command.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

class ManPageTest {

    @TempDir
    private Path folder;

    @Test
    void thePageHasEveryCommandAndOption() {
        String page = plain(page());

        assertThat(page).startsWith(".").contains(".TH HOLDFAST 1", "holdfast - Locks shared by machines");
        for (CommandSpec command : Syntax.commands(spec())) {
            if (command.subcommands().isEmpty()) {
                assertThat(page).contains(".SS \"" + command.qualifiedName());
            }
            Syntax.options(command)
                    .forEach(option -> assertThat(page).contains("\\fB" + option.longestName() + "\\fR"));
        }
    }

    @Test
    void theLinesOfHelpFitATerminal() {
        for (CommandSpec command : Syntax.commands(spec())) {
            assertThat(command.usageMessage().footer())
                    .as(command.qualifiedName())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        }
    }

    @Test
    void everyLineThatIsNoMacroIsProtected() {
        assertThat(page().lines().filter(line -> line.startsWith(".")))
                .allMatch(line -> line.matches("\\.(TH|nh|SH|SS|TP|PP|B|nf|fi|\\\\\")( .*)?"));
        assertThat(page().lines()).noneMatch(line -> line.startsWith("'") || line.isEmpty());
    }

    @Test
    void manShowsThePageWithoutAWarning() throws Exception {
        Assumptions.assumeTrue(
                new ProcessBuilder("sh", "-c", "man --version | grep '^man [0-9]' && command -v groff")
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .redirectError(ProcessBuilder.Redirect.DISCARD)
                                .start()
                                .waitFor()
                        == 0,
                "there is no man with groff");
        Path file = folder.resolve("holdfast.1");
        try (Cli cli = new Cli(folder)) {
            Files.writeString(file, cli.run("man").out());
        }

        ProcessBuilder man = new ProcessBuilder("man", "--warnings", "-l", file.toString())
                .redirectOutput(folder.resolve("shown").toFile())
                .redirectError(folder.resolve("warnings").toFile());
        man.environment().put("LC_ALL", "C.UTF-8");
        man.environment().put("MANWIDTH", "100");
        Process process = man.start();

        assertThat(process.waitFor(Cli.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(folder.resolve("warnings")).isEmptyFile();
        assertThat(Files.readString(folder.resolve("shown"))
                        .replaceAll(".\b", "")
                        .replaceAll("\\s+", " "))
                .contains(
                        "-w DUR, --wait DUR, --timeout DUR Maximum time to wait",
                        "A NAME that begins with '-' must follow a '--'");
    }

    private static CommandSpec spec() {
        return Program.complete().getCommandSpec();
    }

    private static String page() {
        return ManPage.of(spec());
    }

    private static String plain(String page) {
        return page.replace("\\-", "-");
    }
}
