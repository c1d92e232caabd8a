package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.MemoryNode;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Promises;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.testkit.RecordingListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node with a real journal that crashes and starts again at any moment: what it has answered holds in all later runs. Random steps from a seed;
 * {@code -Dholdfast.crashes=1000} tries as many seeds.
 */
@Tag("slow")
class PromisesUnderCrashesTest {

    private static final int STEPS = 150;
    private static final List<String> RESOURCES = List.of("lock:a", "lock:b");

    @TempDir
    private Path folder;

    @Test
    void whatWasAnsweredHoldsAfterACrash() throws IOException {
        play(Integer.getInteger("holdfast.crashes", 15), journal -> journal);
    }

    /** The disk is full, fails, writes less than it was asked to, or can't force what it has taken. */
    @Test
    void b9_whatWasAnsweredHoldsOnADiskThatFails() throws IOException {
        play(Integer.getInteger("holdfast.crashes", 15), 0.04, journal -> journal);
    }

    /** The strength of the test: it notices each of these mistakes. */
    @ParameterizedTest
    @EnumSource
    void mistakesAreNoticed(Mistake mistake) {
        assertThatThrownBy(() -> play(40, mistake::in))
                .as("%s", mistake)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed ");
    }

    /** Mistakes in keeping promises. */
    private enum Mistake {
        FORGETS_VOTES,
        FORGETS_SEALS,
        ANSWERS_BEFORE_IT_IS_WRITTEN;

        Promises in(Promises journal) {
            return new Promises() {
                @Override
                public long remainingMillis() {
                    return Mistake.this == FORGETS_VOTES ? 0 : journal.remainingMillis();
                }

                @Override
                public long fence() {
                    return journal.fence();
                }

                @Override
                public List<SealedResource> seals() {
                    return Mistake.this == FORGETS_SEALS ? List.of() : journal.seals();
                }

                @Override
                public CompletionStage<Void> keep(long votesMillis, long fence, @Nullable SealedResource toSeal) {
                    CompletionStage<Void> kept = journal.keep(votesMillis, fence, toSeal);
                    return Mistake.this == ANSWERS_BEFORE_IT_IS_WRITTEN
                            ? CompletableFuture.completedFuture(null)
                            : kept;
                }

                @Override
                public void settle(long votesMillis, long fence) {
                    journal.settle(votesMillis, fence);
                }
            };
        }
    }

    private void play(int seeds, UnaryOperator<Promises> promises) throws IOException {
        play(seeds, 0, promises);
    }

    private void play(int seeds, double failures, UnaryOperator<Promises> promises) throws IOException {
        long votes = 0;
        long quarantined = 0;
        for (long seed = 1; seed <= seeds; seed++) {
            World world = new World(seed, folder.resolve("seed-" + seed), failures, promises);
            try {
                for (int step = 0; step < STEPS; step++) {
                    world.step();
                }
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            } finally {
                world.close();
            }
            votes += world.votes;
            quarantined += world.quarantined;
            assertThat(world.disk.failed > 0).as("whether the disk failed").isEqualTo(failures > 0);
        }
        assertThat(votes).as("votes that were given").isGreaterThan(seeds * 5L);
        assertThat(quarantined).as("requests that were put off").isGreaterThan(seeds);
    }

    /** A vote as its owner sees it: it lasts for the ttl from when it was asked for. */
    private record Held(OwnerId owner, LockMode mode, long endMillis) {}

    /** The requests without an answer yet. */
    private record Asked(CompletionStage<?> answer, Runnable then) {}

    private static final class World {

        private final UnaryOperator<Promises> promises;
        private final Random random;
        private final double failures;
        private final FailingChannel.Disk disk;
        private final ManualTiming time;
        private final Path folder;
        private final Map<String, List<Held>> held = new HashMap<>();
        private final Map<String, Long> fences = new HashMap<>();
        private final Map<String, Long> sealedUntil = new HashMap<>();
        private final List<Asked> asked = new ArrayList<>();
        private int runs;
        private long tickets;
        private PromiseJournal journal;
        private MemoryNode node;
        private LockNode client;
        private long votes;
        private long quarantined;

        World(long seed, Path folder, double failures, UnaryOperator<Promises> promises) throws IOException {
            this.promises = promises;
            this.failures = failures;
            this.disk = new FailingChannel.Disk(seed);
            this.random = new Random(seed);
            this.time = new ManualTiming(seed);
            this.folder = folder;
            begin(null);
        }

        private long now() {
            return time.elapsed().toMillis();
        }

        private void begin(Path before) throws IOException {
            Path data = Files.createDirectories(folder.resolve("run-" + runs++));
            if (before != null && Files.exists(before)) {
                Path file = Files.copy(before, data.resolve(JournalFile.NAME));
                if (random.nextInt(3) == 0) { // it ended while it wrote
                    Files.writeString(file, "6f3a01c2 {\"votesUntilM", StandardOpenOption.APPEND);
                }
            }
            disk.failures = before == null ? 0 : failures; // an empty folder on a disk that fails is not started on
            journal = new PromiseJournal(data, time.timing(), disk::open);
            disk.failures = failures;
            node = new MemoryNode("node", "run-" + runs, time.timing(), 60_000, promises.apply(journal));
            client = node.connect("c~00000000", new RecordingListener());
        }

        /** Unanswered requests stay unanswered, and unwritten data is lost. */
        private void crash() throws IOException {
            Path file = folder.resolve("run-" + (runs - 1)).resolve(JournalFile.NAME);
            PromiseJournal crashed = journal;
            asked.clear();
            begin(file);
            time.drain();
            crashed.close();
        }

        private void stop() throws IOException {
            time.drain();
            answer();
            node.settle();
            journal.close();
            begin(folder.resolve("run-" + (runs - 1)).resolve(JournalFile.NAME));
        }

        void step() throws IOException {
            switch (random.nextInt(12)) {
                case 0 -> crash();
                case 1 -> stop();
                case 2, 3 -> time.advance(Duration.ofMillis(random.nextInt(random.nextInt(8) == 0 ? 8_000 : 400)));
                case 4 -> release();
                case 5, 6 -> time.drain();
                default -> acquire();
            }
            answer();
        }

        private String resource() {
            return RESOURCES.get(random.nextInt(RESOURCES.size()));
        }

        private void acquire() {
            String resource = resource();
            OwnerId owner = new OwnerId("c~00000000", ++tickets, 0);
            LockMode mode = random.nextInt(3) == 0 ? LockMode.PR : LockMode.EX;
            long ttl = 100 + random.nextInt(4_000);
            long end = now() + ttl;
            CompletionStage<AcquireAnswer> answer =
                    client.acquire(AcquireRequest.forVote(resource, owner, mode, ttl, ttl, 1));
            asked.add(new Asked(answer, () -> acquired(resource, new Held(owner, mode, end), joined(answer))));
        }

        private void acquired(String resource, Held vote, AcquireAnswer answer) {
            if (answer instanceof AcquireAnswer.Quarantined) {
                quarantined++;
            }
            if (!(answer instanceof AcquireAnswer.Granted granted)) {
                return;
            }
            votes++;
            List<Held> others = held.computeIfAbsent(resource, fresh -> new ArrayList<>());
            others.removeIf(other -> other.endMillis <= now());
            assertThat(others)
                    .as("votes at %s that are valid when %s is granted", resource, vote)
                    .noneMatch(other -> other.mode.conflictsWith(vote.mode));
            assertThat(sealedUntil.getOrDefault(resource, 0L))
                    .as("the seal of %s", resource)
                    .isLessThanOrEqualTo(now());
            assertThat(granted.fence()).as("the fence of %s", vote).isGreaterThan(fences.getOrDefault(resource, 0L));
            fences.put(resource, granted.fence());
            if (vote.endMillis > now()) {
                others.add(vote);
            }
        }

        private void release() {
            String resource = resource();
            List<Held> votesThere = held.getOrDefault(resource, List.of());
            if (votesThere.isEmpty()) {
                return;
            }
            Held vote = votesThere.get(random.nextInt(votesThere.size()));
            long sealMillis = random.nextInt(4) == 0 ? 1 + random.nextInt(6_000) : 0;
            Seal seal = sealMillis == 0 ? null : Seal.now(vote.owner, sealMillis);
            votesThere.remove(vote);
            long until = now() + sealMillis;
            CompletionStage<ReleaseAnswer> answer = client.release(new ReleaseRequest(resource, vote.owner, 0, seal));
            asked.add(new Asked(answer, () -> {
                if (seal != null && joined(answer) instanceof ReleaseAnswer.Released) {
                    sealedUntil.merge(resource, until, Math::max);
                }
            }));
        }

        private void answer() {
            List<Asked> answered = asked.stream()
                    .filter(one -> one.answer.toCompletableFuture().isDone())
                    .toList();
            asked.removeAll(answered);
            answered.forEach(one -> one.then.run());
        }

        private static <T> T joined(CompletionStage<T> answer) {
            return answer.toCompletableFuture().join();
        }

        void close() {
            time.drain();
            journal.close();
        }
    }
}
