package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.server.node.Standing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The decision whether a set of nodes is bootstrapped or left alone. The simulator has mutants of the same rules. */
class NewSetTest {

    /** A node that gives these answers, one after the other. */
    private static final class FakeNode implements NewSet.Node {

        private final String name;
        private final Deque<Standing> answers = new ArrayDeque<>();
        private final List<String> recorded = new ArrayList<>();
        private boolean silent;
        private @Nullable Failure failsToRecord;

        FakeNode(String name, Standing... answers) {
            this.name = name;
            this.answers.addAll(List.of(answers));
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public CompletableFuture<Standing> ask() {
            return silent
                    ? CompletableFuture.failedFuture(new Failure(ExitCode.NO_QUORUM, name + ": no answer"))
                    : CompletableFuture.completedFuture(answers.remove());
        }

        @Override
        public CompletableFuture<Void> record(String incarnation, List<String> set) {
            if (failsToRecord != null) {
                return CompletableFuture.failedFuture(failsToRecord);
            }
            recorded.add(incarnation + " " + set);
            return CompletableFuture.completedFuture(null);
        }
    }

    private static Standing isNew(String incarnation) {
        return new Standing(incarnation, false, false, 0);
    }

    private static Standing isAsked(String incarnation) {
        return new Standing(incarnation, true, false, 0);
    }

    private static FakeNode newNode(String name) {
        return new FakeNode(name, isNew("of-" + name), isNew("of-" + name));
    }

    private final FakeNode a = newNode("a");
    private final FakeNode b = newNode("b");

    private void assertRefused(FakeNode c, int exitCode, String... said) {
        NewSet set = new NewSet(List.of(a, b, c));
        Failure failure = catchThrowableOfType(Failure.class, () -> {
            set.requireNew();
            set.bootstrap();
        });
        assertThat(failure.exitCode()).isEqualTo(exitCode);
        assertThat(failure).hasMessageContainingAll("nothing was changed").hasMessageContainingAll(said);
        assertThat(List.of(a, b, c))
                .allSatisfy(node -> assertThat(node.recorded).isEmpty());
    }

    @Test
    void everyNodeOfANewSetRecordsItsOwnIncarnationAndTheWholeSet() {
        FakeNode c = newNode("c");
        NewSet set = new NewSet(List.of(a, b, c));

        set.requireNew();
        assertThat(a.recorded).isEmpty();
        set.bootstrap();

        assertThat(List.of(a, b, c))
                .allSatisfy(node -> assertThat(node.recorded).containsExactly("of-" + node.name + " [a, b, c]"));
    }

    @Test
    void oneNodeThatDoesNotAnswerIsEnoughToRefuse() {
        FakeNode c = newNode("c");
        c.silent = true;

        assertRefused(c, ExitCode.NO_QUORUM, "2 of 3 nodes answered", "c: no answer");
    }

    @Test
    void oneNodeThatAClientHasAskedIsEnoughToRefuse() {
        assertRefused(new FakeNode("c", isAsked("of-c"), isAsked("of-c")), ExitCode.NOT_NEW, "clients have used c");
    }

    /** Even a node that clients count already: its votes show that other nodes of the set may have lost some. */
    @Test
    void aNodeThatIsOldEnoughMustBeUnusedToo() {
        Standing used = new Standing("of-c", true, true, 0);

        assertRefused(new FakeNode("c", used, used), ExitCode.NOT_NEW, "clients have used c");
    }

    @Test
    void aNodeThatIsAskedForAVoteInTheMeantimeEndsTheBootstrap() {
        assertRefused(new FakeNode("c", isNew("of-c"), isAsked("of-c")), ExitCode.NOT_NEW, "clients have used c");
    }

    @Test
    void aNodeThatLosesItsFolderInTheMeantimeEndsTheBootstrap() {
        assertRefused(new FakeNode("c", isNew("of-c"), isNew("other")), ExitCode.NOT_NEW, "c has lost its folder");
    }

    @Test
    void twoNamesOfOneServerAreAMistake() {
        assertRefused(new FakeNode("c", isNew("of-a"), isNew("of-a")), ExitCode.USAGE, "a and c are the same server");
    }

    /** A server that locks on the set knows its size. The command line of the others may differ, so one is enough. */
    @Test
    void aServerThatKnowsMoreNodesOfItsSetIsEnoughToRefuse() {
        Standing ofFive = new Standing("of-c", false, false, 5);

        assertRefused(
                new FakeNode("c", ofFive, ofFive), ExitCode.USAGE, "c locks on a set of 5 nodes, but 3 are named");
    }

    @Test
    void nodesThatClientsCountAlreadyHaveNothingToRecord() {
        Standing complete = new Standing("of-c", false, true, 0);
        FakeNode c = new FakeNode("c", complete, complete);
        NewSet set = new NewSet(List.of(a, b, c));

        set.requireNew();
        set.bootstrap();

        assertThat(a.recorded).hasSize(1);
        assertThat(c.recorded).isEmpty();
    }

    @Test
    void nodesThatFailToRecordAreNamed() {
        FakeNode c = newNode("c");
        c.failsToRecord = new Failure(ExitCode.NO_QUORUM, "c: cannot write");
        NewSet set = new NewSet(List.of(a, b, c));
        set.requireNew();

        Failure failure = catchThrowableOfType(Failure.class, set::bootstrap);

        assertThat(failure.exitCode()).isEqualTo(ExitCode.NO_QUORUM);
        assertThat(failure).hasMessageContainingAll("bootstrapped 2 of 3 nodes [c: cannot write]");
    }
}
