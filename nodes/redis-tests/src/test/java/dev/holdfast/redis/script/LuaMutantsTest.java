package dev.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.testkit.Effort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The comparison of the scripts with {@link dev.holdfast.node.LockTable} notices every mutant of a script, within
 * {@code -Dholdfast.lua.operations} random operations. A table of how soon is left in {@code target/lua-mutants.md};
 * {@code -Dholdfast.lua.mutant} plays only the mutants whose name begins so.
 */
@Tag("slow")
class LuaMutantsTest {

    private static final int OPERATIONS = Integer.getInteger("holdfast.lua.operations", 200_000);
    private static final String ONLY = System.getProperty("holdfast.lua.mutant", "");
    private static final StringBuilder TABLE = new StringBuilder("| mutant | noticed after operations |\n|---|---|\n");

    private static RedisProcess process;

    @BeforeAll
    static void startServer() {
        process = RedisProcess.start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        process.close();
        Files.writeString(Path.of("target", "lua-mutants.md"), TABLE);
    }

    /** The build of every change tries one of three. */
    static List<LuaMutant> mutants() {
        List<LuaMutant> all = LuaMutants.all();
        return IntStream.range(0, all.size())
                .filter(i -> Effort.isThoroughProof() || !ONLY.isEmpty() || i % 3 == 0)
                .mapToObj(all::get)
                .filter(mutant -> mutant.name().startsWith(ONLY))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void isNoticed(LuaMutant mutant) throws Exception {
        String said = played(mutant, OPERATIONS);

        assertThat(said).as("'%s' survived %d operations", mutant, OPERATIONS).isNotEmpty();
        TABLE.append("| %s | %s |%n".formatted(mutant, said.substring(0, said.indexOf(' '))));
    }

    static List<LuaMutant> costly() {
        return LuaMutants.costly();
    }

    @ParameterizedTest
    @MethodSource("costly")
    void c15_aScriptThatCostsMoreWithMoreReadersIsNoticed(LuaMutant mutant) throws Exception {
        String said = costs(mutant);

        assertThat(said).as("'%s' costs no more with more readers", mutant).isNotEmpty();
        TABLE.append("| %s | %s |%n".formatted(mutant, said));
    }

    /** Or what is noticed of a mutant might be due to the loader. */
    @Test
    void theTrueScriptsAreNoMistake() throws Exception {
        LuaMutant none = new LuaMutant("none", List.of());
        assertThat(played(none, 2_000)).isEmpty();
        assertThat(costs(none)).isEmpty();
    }

    private static String costs(LuaMutant mutant) throws Exception {
        process.send("FLUSHALL");
        process.send("SCRIPT", "FLUSH");
        @SuppressWarnings("unchecked") // the costs of another loader
        Function<RedisProcess, String> costs = (Function<RedisProcess, String>) new LuaMutantLoader(mutant)
                .loadClass(ReaderCosts.class.getName())
                .getConstructor()
                .newInstance();
        return costs.apply(process);
    }

    private static String played(LuaMutant mutant, int operations) throws Exception {
        process.send("FLUSHALL");
        process.send("SCRIPT", "FLUSH");
        @SuppressWarnings("unchecked") // the trial of another loader
        BiFunction<RedisProcess, Integer, String> trial =
                (BiFunction<RedisProcess, Integer, String>) new LuaMutantLoader(mutant)
                        .loadClass(LuaTrial.class.getName())
                        .getConstructor()
                        .newInstance();
        return trial.apply(process, operations);
    }
}
