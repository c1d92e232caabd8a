package dev.holdfast.prose.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.prose.source.Passage;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Planted sentences: each rule must report the sentences that break it. */
class RulesTest {

    private static final Rules RULES = new Rules(true);

    private static List<String> broken(Passage.Kind kind, String text) {
        return RULES.check(new Passage(Path.of("Planted.java"), 7, kind, text)).stream()
                .map(Finding::rule)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PARAGRAPH | A waiter is told when its turn comes. | phrase",
                "PARAGRAPH | Whoever waits for the lock keeps a place in line. | phrase",
                "MESSAGE   | The node asks anew after 5 s | phrase",
                "COMMENT   | The lease goes round quickly. | phrase",
                "FRAGMENT  | Who waits | phrase",
                "METHOD    | The name of the lock. | opening",
                "METHOD    | This returns the name of the lock. | opening",
                "TYPE      | Keeps the leases of a client. | opening",
                "TYPE      | What a client holds at a node. | opening",
                "PARAGRAPH | From 50 ms to 24 h, and at least twice the timeout. | verb",
                "PARAGRAPH | The client rejects the the request. | grammar",
                "METHOD    | Returns an lease on the lock. | grammar",
            })
    void reports(Passage.Kind kind, String text, String rule) {
        assertThat(broken(kind, text)).anyMatch(found -> found.startsWith(rule));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PARAGRAPH | The server notifies the waiter when its turn comes.",
                "METHOD    | Returns the name of the lock.",
                "METHOD    | Acquires the lock, waiting up to the given time.",
                "TYPE      | A lease on a lock, from its grant to its end.",
                "FRAGMENT  | With one node",
                "COMMENT   | The node may answer late, so the vote counts from the request.",
                "MESSAGE   | ttl is 0 ms; it must be between 50 ms and 24 h.",
                "PARAGRAPH | What happens when my process pauses?",
            })
    void acceptsPlainSentences(Passage.Kind kind, String text) {
        assertThat(RULES.check(new Passage(Path.of("Planted.java"), 7, kind, text)))
                .isEmpty();
    }

    @Test
    void reportsALongSentenceOnItsLine() {
        String text = "The first sentence is short.\nThe second one " + "goes on and ".repeat(15) + "then ends.";

        List<Finding> findings = RULES.check(new Passage(Path.of("Planted.md"), 7, Passage.Kind.PARAGRAPH, text));

        assertThat(findings).anySatisfy(finding -> {
            assertThat(finding.rule()).isEqualTo("length");
            assertThat(finding.sentence().line()).isEqualTo(8);
        });
    }
}
