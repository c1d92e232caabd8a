package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.mutant.MutantLoader;
import dev.holdfast.testkit.mutant.SourceEdit;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A request about a lock that very many clients share, want or have cancelled costs hardly more than with few, and {@link LockTableCosts} notices a mutant that costs more. */
@Tag("slow")
class LockTableCostsTest {

    @TempDir
    private Path folder;

    /** A mistake that leaves every answer as it is. */
    private record Mutant(String name, List<SourceEdit> edits) {

        static Mutant of(String name, String from, String to) {
            return in("node/Votes", name, from, to);
        }

        static Mutant in(String file, String name, String from, String to) {
            return new Mutant(name, List.of(new SourceEdit("core", file, from, to)));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Mutant> mutants() {
        return List.of(
                Mutant.of(
                        "every request looks at the expiry of every vote",
                        "            for (Vote first = soonest(mode, null);\n"
                                + "                    first != null && first.expiryMillis <= now;\n"
                                + "                    first = soonest(mode, null)) {\n"
                                + "                remove(first.owner);\n"
                                + "            }",
                        "            for (Vote vote : List.copyOf(all())) {\n"
                                + "                if (vote.mode == mode && vote.expiryMillis <= now) {\n"
                                + "                    remove(vote.owner);\n"
                                + "                }\n"
                                + "            }"),
                Mutant.of(
                        "the blocker is searched among all votes",
                        "first(index.byTicket, other, owner)",
                        "all().stream().filter(one -> one.mode == other && !one.owner.equals(owner))"
                                + ".min(BY_TICKET).orElse(null)"),
                Mutant.of(
                        "the latest ticket is searched among all votes",
                        "votes.last().owner.attempt()",
                        "votes.stream().max(BY_TICKET).orElseThrow().owner.attempt()"),
                Mutant.of(
                        "the first expiry is searched among all votes",
                        "first(index.byExpiry, mode, except)",
                        "all().stream().filter(one -> one.mode == mode && !one.owner.equals(except))"
                                + ".min(BY_EXPIRY).orElse(null)"),
                Mutant.of(
                        "the vote of an owner is searched among all votes",
                        "return index.byOwner.get(owner.toString());",
                        "return all().stream().filter(one -> one.owner.equals(owner)).findFirst().orElse(null);"),
                Mutant.in(
                        "node/WaiterQueue",
                        "a place is counted from the head of the queue",
                        "owners.add(-place(waiter.owner()), waiter.owner());",
                        "owners.add((int) owners.stream().filter(one -> BY_TICKET.compare(one, waiter.owner()) < 0)"
                                + ".count(), waiter.owner());"),
                Mutant.in(
                        "node/LockRecord",
                        "every request looks at all tombstones",
                        "if (firstTombstoneEnds <= now) {",
                        "if (now > 0) {"),
                Mutant.of("every reader is notified of a writer", ".limit(MOST_NOTIFIED)", ".limit(Long.MAX_VALUE)"));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void c15_aTableThatCostsMoreWithMoreClientsIsNoticed(Mutant mutant, TestReporter reporter) throws Exception {
        String noticed = noticed(mutant);

        assertThat(noticed)
                .as("'%s' costs hardly more with more clients", mutant)
                .isNotEmpty();
        reporter.publishEntry(mutant + ": " + noticed);
    }

    @Test
    void c15_aRequestCostsHardlyMoreWithManyClients() {
        assertThat(new LockTableCosts().get()).isEmpty();
    }

    /** Or what is noticed of a mutant might be due to the loader. */
    @Test
    void theOriginalTableIsNoMistake() throws Exception {
        assertThat(noticed(new Mutant("none", List.of()))).isEmpty();
    }

    private String noticed(Mutant mutant) throws Exception {
        @SuppressWarnings("unchecked") // the costs of another loader
        Supplier<String> costs =
                (Supplier<String>) new MutantLoader(mutant.name(), mutant.edits(), folder).create(LockTableCosts.class);
        return costs.get();
    }
}
