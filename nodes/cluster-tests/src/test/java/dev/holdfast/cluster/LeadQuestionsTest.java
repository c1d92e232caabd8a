package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import com.alipay.sofa.jraft.error.RaftError;
import dev.holdfast.testkit.ManualTiming;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Questions to a majority, none of which answers a call that came after the question was sent. */
class LeadQuestionsTest {

    private final ManualTiming time = new ManualTiming(1);
    private final LeadQuestions questions = new LeadQuestions("a", time.timing().ticker());
    private final List<ReadIndexClosure> sent = new ArrayList<>();
    private final Node node = (Node) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Node.class}, (proxy, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("readIndex");
                sent.add((ReadIndexClosure) arguments[1]);
                return null;
            });

    private CompletableFuture<Optional<String>> ask() {
        return questions.ask(node);
    }

    /** An operation may have been acknowledged between the question and the call, by a server that leads instead. */
    @Test
    void aQuestionThatIsUnderWayAnswersNoLaterCall() {
        CompletableFuture<Optional<String>> first = ask();
        CompletableFuture<Optional<String>> second = ask();
        CompletableFuture<Optional<String>> third = ask();
        assertThat(sent).as("one at a time").hasSize(1);

        sent.get(0).run(Status.OK(), 7, new byte[0]);
        assertThat(first).isCompletedWithValue(Optional.empty());
        assertThat(second).isNotDone();
        assertThat(third).isNotDone();
        assertThat(sent).as("both share the next one").hasSize(2);

        sent.get(1).run(new Status(RaftError.EPERM, "%s", "another server leads"), 0, new byte[0]);
        assertThat(second).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(third).isCompletedWithValueMatching(Optional::isPresent);
        ask();
        assertThat(sent).hasSize(3);
    }

    @Test
    void aQuestionThatTheEngineForgetsHoldsUpNoneForLong() {
        CompletableFuture<Optional<String>> forgotten = ask();
        time.advance(Duration.ofSeconds(4));
        CompletableFuture<Optional<String>> waiting = ask();
        assertThat(sent).hasSize(1);
        time.advance(Duration.ofSeconds(1));

        CompletableFuture<Optional<String>> later = ask();
        assertThat(sent).hasSize(2);
        sent.get(1).run(Status.OK(), 7, new byte[0]);
        assertThat(later).isCompletedWithValue(Optional.empty());

        assertThat(sent).hasSize(3);
        sent.get(2).run(Status.OK(), 7, new byte[0]);
        assertThat(waiting).isCompletedWithValue(Optional.empty());
        assertThat(forgotten).isNotDone();
    }
}
