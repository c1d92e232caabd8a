package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.command.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Checks that the command line knows every command and option that a page shows in code. */
class DocumentedCommandsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern IN_FENCE = Pattern.compile("(?m)(?:^|\\(|&& )\\s*(?:\\./)?holdfast ([^\\n]*)$");
    private static final Pattern IN_LINE = Pattern.compile("`(?:\\./)?holdfast ([^`\\n]+)`");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("cli/README.md")));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    private static List<String> commands(String page) {
        List<String> commands = new ArrayList<>();
        for (MatchResult fence : FENCED.matcher(page).results().toList()) {
            String joined = fence.group().replace("\\\n", " ");
            IN_FENCE.matcher(joined).results().forEach(command -> commands.add(command.group(1)));
        }
        IN_LINE.matcher(FENCED.matcher(page).replaceAll(""))
                .results()
                .forEach(command -> commands.add(command.group(1)));
        return commands;
    }

    /** Why the command line would not know this command, or an empty text. */
    private static String problem(String command) {
        CommandLine known = Program.complete();
        String own = command.split(" -- ", 2)[0];
        for (String word : own.strip().split("\\s+")) {
            if (!word.matches("[a-z]+") || known.getSubcommands().isEmpty()) {
                break;
            }
            CommandLine next = known.getSubcommands().get(word);
            if (next == null) {
                return "no command " + word;
            }
            known = next;
        }
        for (MatchResult option : OPTION.matcher(own).results().toList()) {
            if (known.getCommandSpec().findOption(option.group()) == null) {
                return "no option " + option.group();
            }
        }
        return "";
    }

    @Test
    void everyCommandAndOptionOfThePagesExists() throws IOException {
        List<String> wrong = new ArrayList<>();
        int commands = 0;
        for (Path page : pages()) {
            for (String command : commands(Files.readString(page))) {
                commands++;
                if (!problem(command).isEmpty()) {
                    wrong.add(ROOT.relativize(page) + ": holdfast " + command + ": " + problem(command));
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(commands).isGreaterThan(40);
    }

    @Test
    void aWrongCommandIsNoticed() {
        assertThat(problem("seve --port 7420")).contains("seve");
        assertThat(problem("serve --prt 7420")).contains("--prt");
        assertThat(problem("dev uq")).contains("uq");
        assertThat(problem("run nightly -- make --no-such-option")).isEmpty();
    }
}
