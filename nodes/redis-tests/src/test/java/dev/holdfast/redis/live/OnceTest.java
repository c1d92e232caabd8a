package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.redis.live.OnceHistory.Step;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.testkit.Effort;
import io.lettuce.core.RedisClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many messages, one in ten of them twice, go through the once-guard of processes that are killed at random and started again: none is lost,
 * and none is begun after its seal. {@code -Dholdfast.messages=100000} sends more than a short build does.
 */
@Tag("slow")
class OnceTest {

    private static final int MESSAGES = Integer.getInteger("holdfast.messages", Effort.of(1_500, 5_000));
    private static final int PROCESSES = 3;
    private static final int KILLS = Math.max(10, MESSAGES / 500);
    private static final Duration LONGEST = Duration.ofMinutes(2).plusMillis(10L * MESSAGES);

    @TempDir
    private Path folder;

    private final long seed = Long.getLong("holdfast.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** A process that does messages, and the one that takes its place when it was killed. */
    private final class Seat {
        private final int number;
        private final List<String> addresses;
        private int runs;
        private String name;
        private Process process;

        private Seat(int number, List<String> addresses) {
            this.number = number;
            this.addresses = addresses;
            start();
        }

        private void start() {
            name = "w" + number + "." + ++runs;
            List<String> args = new ArrayList<>(List.of(
                    name,
                    Long.toString(random.nextLong()),
                    folder.resolve(name + OnceHistory.SUFFIX).toString()));
            args.addAll(addresses);
            process = Jvm.start(OnceWorker.class, folder.resolve(name + ".log"), args);
        }

        /** Whether it has begun a message, so that a kill hits it among them. */
        private boolean isAtWork() {
            return folder.resolve(name + OnceHistory.SUFFIX).toFile().length() > 0;
        }

        private void killAndStartAgain() throws InterruptedException {
            process.destroyForcibly().waitFor();
            start();
        }

        private void finish() throws Exception {
            process.getOutputStream().close();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue())
                    .as("worker %s: %s", name, Files.readString(folder.resolve(name + ".log")))
                    .isZero();
        }
    }

    @Test
    @Timeout(value = 40, unit = TimeUnit.MINUTES)
    void noMessageIsLostOrBegunAfterItsSealWhileWorkersAreKilled() throws Exception {
        System.out.println("seed " + seed);
        List<String> messages =
                IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toList();
        List<String> deliveries = withDuplicates(messages);
        List<Seat> seats = new ArrayList<>();
        int kills;
        Instant begun = Instant.now();
        try (LiveNodes live = new LiveNodes(3);
                RedisProcess server = RedisProcess.start();
                RedisClient client = RedisClient.create(server.uri().toString());
                MessageStream source = new MessageStream(client)) {
            source.send(deliveries);
            List<String> addresses = new ArrayList<>(List.of(server.uri().toString()));
            addresses.addAll(List.of(live.uris()));
            for (int i = 0; i < PROCESSES; i++) {
                seats.add(new Seat(i, addresses));
            }
            kills = killUntilAllIsAcknowledged(seats, source, deliveries.size());
            for (Seat seat : seats) {
                seat.finish();
            }
            assertNothingIsLeftButSeals(live);
        } finally {
            seats.forEach(seat -> seat.process.destroyForcibly());
        }
        Duration took = Duration.between(begun, Instant.now());

        OnceHistory history = OnceHistory.read(folder);
        System.out.printf(
                "%d messages in %d deliveries, %.1f s, %d kills; begun %d, ended %d, done twice %d messages;"
                        + " sealed %d, late %d, unsealed %d, told already done %d%n",
                MESSAGES,
                deliveries.size(),
                took.toMillis() / 1e3,
                kills,
                history.count(Step.BEGAN),
                history.count(Step.ENDED),
                history.doneTwice(),
                history.count(Step.SEALED),
                history.count(Step.SEALED_LATE),
                history.count(Step.UNSEALED),
                history.count(Step.ALREADY_DONE));
        assertThat(history.findings(messages)).isEmpty();
        assertThat(history.count(Step.SEALED) + history.count(Step.SEALED_LATE) + history.count(Step.ALREADY_DONE))
                .as("a step is written down for every delivery that was acknowledged")
                .isGreaterThanOrEqualTo(deliveries.size());
        assertThat(kills).as("kills").isGreaterThanOrEqualTo(KILLS / 2);
    }

    /** Each tenth message once more: half of them close behind the first, so that both are under way, the others anywhere after it. */
    private List<String> withDuplicates(List<String> messages) {
        List<String> duplicated = new ArrayList<>(messages);
        Collections.shuffle(duplicated, random);
        Set<String> twice = new HashSet<>(duplicated.subList(0, messages.size() / 10));
        List<List<String>> after = new ArrayList<>();
        messages.forEach(message -> after.add(new ArrayList<>()));
        for (int i = 0; i < messages.size(); i++) {
            if (twice.contains(messages.get(i))) {
                int end = random.nextBoolean() ? Math.min(i + 20, messages.size()) : messages.size();
                after.get(random.nextInt(i, end)).add(messages.get(i));
            }
        }
        List<String> deliveries = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            deliveries.add(messages.get(i));
            deliveries.addAll(after.get(i));
        }
        return deliveries;
    }

    /** Kills one process or another, each time when a random part of the deliveries has been acknowledged; gives how often. */
    private int killUntilAllIsAcknowledged(List<Seat> seats, MessageStream source, int deliveries) {
        Queue<Integer> killsAt = new ArrayDeque<>(
                random.ints(KILLS, 0, deliveries * 9 / 10).sorted().boxed().toList());
        await().atMost(LONGEST)
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> {
                    long open = source.open();
                    Integer next = killsAt.peek();
                    if (next != null && deliveries - open >= next) {
                        List<Seat> atWork =
                                seats.stream().filter(Seat::isAtWork).toList();
                        if (!atWork.isEmpty()) {
                            killsAt.remove();
                            atWork.get(random.nextInt(atWork.size())).killAndStartAgain();
                        }
                    }
                    return open == 0;
                });
        return KILLS - killsAt.size();
    }

    /** The locks of the killed workers have expired, and the remaining keys have an expiry; then they are deleted. */
    private static void assertNothingIsLeftButSeals(LiveNodes live) {
        await().atMost(LiveNodes.SOON).untilAsserted(() -> {
            Set<String> keys = Set.copyOf(live.keys());
            assertThat(keys)
                    .allMatch(key -> key.endsWith("}:holdfast:seal")
                            || key.endsWith("}:holdfast:others") && keys.contains(key.replace(":others", ":seal")));
        });
        live.servers.forEach(server -> {
            assertThat(String.valueOf(server.send("INFO", "keyspace"))).containsPattern("keys=(\\d+),expires=\\1,");
            server.flushAll();
        });
    }
}
