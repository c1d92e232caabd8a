package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.testkit.RecordingListener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnwrittenSealTest {

    private final ManualTiming time = new ManualTiming(1);
    private boolean full;

    /** A disk with no space for seals, while earlier writes still cover the votes. */
    private final Promises promises = new Promises() {
        @Override
        public long remainingMillis() {
            return 0;
        }

        @Override
        public long fence() {
            return 0;
        }

        @Override
        public List<SealedResource> seals() {
            return List.of();
        }

        @Override
        public CompletionStage<Void> keep(long votesMillis, long fence, @Nullable SealedResource toSeal) {
            return full && toSeal != null
                    ? CompletableFuture.failedFuture(new IOException("No space left on device"))
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public void settle(long votesMillis, long fence) {}
    };

    private final LockNode node = new MemoryNode("node", "run-1", time.timing(), 60_000, promises)
            .connect("c~00000000", new RecordingListener());

    private Object acquire(OwnerId owner) {
        return node.acquire(AcquireRequest.forVote("lock:a", owner, LockMode.EX, 5_000, 5_000, 1))
                .toCompletableFuture()
                .join();
    }

    @Test
    void b9_aNodeDoesNotTellOfASealThatItCouldNotWrite() {
        OwnerId first = new OwnerId("c~00000000", 1, 0);
        OwnerId second = new OwnerId("c~00000000", 2, 0);
        assertThat(acquire(first)).isInstanceOf(AcquireAnswer.Granted.class);
        full = true;

        assertThat(node.release(new ReleaseRequest("lock:a", first, 0, Seal.now(first, 60_000)))
                        .toCompletableFuture())
                .isCompletedWithValueMatching(Unavailable.class::isInstance);
        assertThat(acquire(second)).isInstanceOf(Unavailable.class);

        full = false;
        assertThat(acquire(second)).isInstanceOf(AcquireAnswer.Sealed.class);
    }
}
