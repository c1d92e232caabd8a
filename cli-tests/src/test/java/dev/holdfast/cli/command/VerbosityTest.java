package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class VerbosityTest {

    @ParameterizedTest
    @CsvSource({
        "-v status x, true",
        "status x -v, true",
        "status -v x, true",
        "run -v x true, true",
        "run -qv x true, true",
        "--node redis://run -v status x, true",
        "--verbose run x true, true",
        "run x grep -v foo, false",
        "run x -- grep -v foo, false",
        "run -w 5 x grep -v foo, false",
        "run --ttl=5s -w5 -q x grep -v foo, false",
        "--node a run x grep --verbose, false",
        "elect --ttl 5s x grep -v foo, false",
        "run -w -v x true, false",
        "status run -v, true",
        "status -- -v, false",
    })
    void onlyTheOwnOptionCounts(String words, boolean expected) {
        assertThat(Verbosity.isVerbose(List.of(words.split(" ")))).isEqualTo(expected);
    }

    @Test
    void theFlagsAreAllOptionsWithoutAValue() {
        Set<String> flags = new TreeSet<>();
        addFlags(Program.complete(), flags);

        assertThat(flags).isEqualTo(new TreeSet<>(Verbosity.FLAGS));
    }

    private static void addFlags(CommandLine command, Set<String> flags) {
        command.getCommandSpec().options().stream()
                .filter(option -> option.arity().max() == 0)
                .forEach(option -> flags.addAll(List.of(option.names())));
        command.getSubcommands().values().forEach(sub -> addFlags(sub, flags));
    }
}
