package dev.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.testkit.history.Finding.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Check 9 finds each grant, release and value that was lost, and nothing in a history without a loss. */
class MemoryChecksTest {

    private final Story story = new Story();

    private void onlyFinds(Kind kind) {
        assertThat(story.checked().findings()).extracting(Finding::kind).containsExactly(kind);
    }

    private void findsNothing() {
        assertThat(story.checked().findings()).isEmpty();
    }

    // ---- values

    @Test
    void aConfirmedValueThatTheNextHolderDoesNotFindIsFound() {
        story.ex("a")
                .asked(0)
                .got(1, 10, 3)
                .read(1, 0, 0)
                .writing(1.1, 1)
                .written(1.2, 1)
                .releasing(2);
        story.ex("b").asked(2).got(2.5, 11, 4).read(2.5, 0, 0).releasing(3);
        onlyFinds(Kind.VALUE_LOST);
    }

    @Test
    void aValueThatComesBackIsFound() {
        story.ex("a").asked(0).got(1, 10, 3).writing(1.1, 1).written(1.2, 1).releasing(2);
        story.ex("b")
                .asked(2)
                .got(2.5, 11, 4)
                .read(2.5, 10, 1)
                .writing(2.6, 1)
                .written(2.7, 1)
                .releasing(3);
        story.attempt("c", LockMode.PR)
                .asked(3)
                .got(3.5, 12, 5)
                .read(3.5, 10, 1)
                .releasing(4);
        onlyFinds(Kind.VALUE_LOST);
    }

    @Test
    void aValueThatNobodyWroteIsFound() {
        story.ex("a").asked(0).got(1, 10, 3).writing(1.1, 1).releasing(2);
        story.ex("b").asked(2).got(2.5, 11, 4).read(2.5, 10, 2).releasing(3);
        onlyFinds(Kind.VALUE_LOST);
    }

    @Test
    void aValueFromBeforeTheHistoryMayAppearUntilAnotherOneIsConfirmed() {
        story.ex("a")
                .asked(0)
                .got(1, 10, 3)
                .read(1, 9, 1)
                .writing(1.1, 1)
                .written(1.2, 1)
                .releasing(2);
        findsNothing();

        story.ex("b").asked(2).got(2.5, 11, 4).read(2.5, 9, 1).releasing(3);
        onlyFinds(Kind.VALUE_LOST);
    }

    @Test
    void aValueWhoseWriteWasNotConfirmedMayOrMayNotAppear() {
        story.ex("a")
                .asked(0)
                .got(1, 10, 3)
                .writing(1.1, 1)
                .written(1.2, 1)
                .writing(1.3, 2)
                .releasing(2);
        story.ex("b").asked(2).got(2.5, 11, 4).read(2.5, 10, 2).releasing(3);
        story.ex("c").asked(3).got(3.5, 12, 5).read(3.5, 10, 1).releasing(4);
        story.attempt("d", LockMode.CR).asked(3).got(4.5, 13, 6).read(4.5, 0, 0).releasing(5);
        findsNothing();
    }

    // ---- grants

    @Test
    void aLeaseThatEndsBeforeItsDeadlineIsFound() {
        story.ex("a").asked(0).got(1, 10, 3).taken(2.9).lost(2.9);
        onlyFinds(Kind.GRANT_LOST);
    }

    @Test
    void aLeaseThatWasExtendedInTimeLastsUntilItsNewDeadline() {
        story.ex("a").asked(0).got(1, 10, 3).extended(2, 5).taken(4).lost(4);
        onlyFinds(Kind.GRANT_LOST);
    }

    @Test
    void aLeaseMayEndAtItsDeadline() {
        story.ex("a").asked(0).got(1, 10, 3).extended(2, 4).taken(4).lost(4);
        findsNothing();
    }

    // ---- states

    @Test
    void aHolderThatIsNotSeenIsFound() {
        story.ex("a").asked(0).got(1, 10, 4).releasing(3);
        story.looked(1.5, 2);
        onlyFinds(Kind.GRANT_LOST);
    }

    @Test
    void aHolderThatIsSeenAfterItsReleaseIsFound() {
        story.ex("a").asked(0).got(1, 10, 4).releasing(2).released(2.1);
        story.looked(2.2, 2.3, 10L);
        onlyFinds(Kind.RELEASE_LOST);
    }

    @Test
    void aStateMayShowEitherSideOfWhatHappensMeanwhile() {
        story.ex("a").asked(0).got(1, 10, 4).releasing(2).released(2.5);
        story.looked(0.5, 1.5);
        story.looked(1.2, 1.4, 10L);
        story.looked(1.9, 2.1);
        story.looked(2.4, 2.6, 10L);
        story.looked(3, 3.1, 8L);
        findsNothing();
    }

    // ---- on paper

    @Test
    void everyEventIsReadAsItWasWritten(@TempDir Path directory) throws IOException {
        story.ex("a").released(1).taken(2).read(3, 10, 4).writing(5, 6).written(7, 8);
        story.looked(9, 10, 11L, 12L);
        story.looked(13, 14);
        Path file = directory.resolve("history");
        try (HistoryWriter writer = HistoryWriter.appendTo(file)) {
            story.events.forEach(writer::write);
        }
        assertThat(HistoryReader.read(List.of(file))).containsExactlyElementsOf(story.events);
    }
}
