package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import dev.holdfast.time.Ticker;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Questions to a majority whether this server still leads (read index). They write nothing to the log, and no clock matters to their answers. One question is
 * under way at a time; all that arrive meanwhile share the next one. Thread-safe.
 */
final class LeadQuestions {

    /** How long a question may be under way before the next one does not wait for it. The engine answers sooner, unless it is broken. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String name;
    private final Ticker ticker;
    private @Nullable CompletableFuture<Optional<String>> underWay;
    private @Nullable CompletableFuture<Optional<String>> next;
    private long sinceNanos;

    /**
     * Creates an instance that has asked nothing yet.
     *
     * @param name the name of this server
     */
    LeadQuestions(String name, Ticker ticker) {
        this.name = name;
        this.ticker = ticker;
    }

    /**
     * Asks a majority, with a question that is sent after this call began.
     *
     * @return completes with the reason why this server may not lead; with nothing once a majority has confirmed that it leads, and it has applied all that was
     *     committed before this call
     */
    CompletableFuture<Optional<String>> ask(Node node) {
        CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
        synchronized (this) {
            if (underWay != null && ticker.nanos() - sinceNanos < PATIENCE_NANOS) {
                next = next == null ? answer : next;
                return next;
            }
            begin(answer);
        }
        send(node, answer);
        return answer;
    }

    private void begin(CompletableFuture<Optional<String>> answer) {
        underWay = answer;
        sinceNanos = ticker.nanos();
    }

    private void send(Node node, CompletableFuture<Optional<String>> answer) {
        try {
            node.readIndex(new byte[0], new ReadIndexClosure() {
                @Override
                public void run(Status status, long index, byte[] context) {
                    ended(
                            node,
                            answer,
                            status.isOk()
                                    ? Optional.empty()
                                    : Optional.of("no majority confirms that server " + name + " leads: "
                                            + status.getErrorMsg()));
                }
            });
        } catch (IllegalStateException e) {
            ended(node, answer, Optional.of("server " + name + " is closing: " + e.getMessage()));
        }
    }

    private void ended(Node node, CompletableFuture<Optional<String>> answer, Optional<String> refusal) {
        CompletableFuture<Optional<String>> following = null;
        synchronized (this) {
            if (underWay == answer) {
                underWay = null;
                following = next;
                next = null;
                if (following != null) {
                    begin(following);
                }
            }
        }
        if (following != null) {
            send(node, following);
        }
        answer.complete(refusal);
    }
}
