package dev.holdfast.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Effort;
import dev.holdfast.testkit.mutant.MutantLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator notices every mutant. The build of every change plays one for each promise, a thorough one all of them. A table of how soon each was
 * noticed is left in {@code target/mutants.md}.
 */
@Tag("slow")
class MutantsTest {

    private static final long SCHEDULES = Long.getLong("holdfast.mutants", 3_000);
    private static final String ONLY = System.getProperty("holdfast.mutant", "");
    private static final int THREADS = Runtime.getRuntime().availableProcessors();
    private static final StringBuilder TABLE =
            new StringBuilder("| mutant | scenario | noticed in schedule | as |\n|---|---|---|---|\n");

    @TempDir
    private Path folder;

    static List<Mutant> mutants() {
        Set<Promise> shown = EnumSet.noneOf(Promise.class);
        return Mutants.all().stream()
                .filter(mutant -> mutant.name().startsWith(ONLY))
                .filter(mutant -> Effort.isThoroughProof() || !ONLY.isEmpty() || shown.addAll(mutant.shows()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void isNoticed(Mutant mutant) throws Exception {
        long end = mutant.firstSeed() + SCHEDULES;
        String said = played(mutant, mutant.firstSeed(), SCHEDULES);
        while (!said.isEmpty()
                && !isExpected(mutant, said)) { // it also breaks other promises: on to one that it is known for
            long played = Long.parseLong(said.substring(0, said.indexOf(' ')));
            said = played(mutant, played, end - played);
        }

        assertThat(said)
                .as(
                        "'%s' survived %d schedules of %s",
                        mutant, SCHEDULES, mutant.scenario().name())
                .isNotEmpty();
        String shown = said.replaceAll("^[0-9]+ \\[([A-Z_]+) .*", "$1");
        String row = "| %s | %s | %s | %s |%n"
                .formatted(mutant, mutant.scenario().name(), said.substring(0, said.indexOf(' ')), shown);
        System.out.print(row);
        TABLE.append(row);
    }

    /** A change of the code that a mutant edits shows at once, also where the build does not play that mutant. */
    @Test
    void allMutantsFit() throws Exception {
        for (Mutant mutant : Mutants.all()) {
            MutantLoader.requireFit(mutant.name(), mutant.edits());
        }
    }

    private static boolean isExpected(Mutant mutant, String said) {
        return mutant.shows().stream().anyMatch(promise -> said.contains(promise + " at "));
    }

    private String played(Mutant mutant, long firstSeed, long schedules) throws Exception {
        MutantLoader loader = new MutantLoader(mutant.name(), mutant.edits(), folder);
        @SuppressWarnings("unchecked") // Trial of another loader
        Function<String, String> trial = (Function<String, String>) loader.create(Trial.class);
        return trial.apply(mutant.scenario().name() + " " + firstSeed + " " + schedules + " " + THREADS);
    }

    /** Or what is noticed of a mutant that has them might be due to them. */
    @Test
    void smallBlocksAloneAreNoMistake() throws Exception {
        assertThat(played(Mutants.smallBlocks(), 0, Effort.ofProof(20, 100))).isEmpty();
    }

    @AfterAll
    static void leaveTheTable() throws Exception {
        Files.writeString(Path.of("target", "mutants.md"), TABLE);
    }
}
