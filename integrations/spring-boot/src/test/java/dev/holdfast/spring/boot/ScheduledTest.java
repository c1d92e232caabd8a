package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.redis.process.OsProcess;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.testkit.Effort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A scheduled method in several instances: one run in every round, although the test kills the instance that has just run, and pauses, kills and empties
 * servers. {@code -Dholdfast.scheduled.rounds} and {@code -Dholdfast.job.rounds} say how many rounds.
 */
@Tag("slow")
class ScheduledTest {

    private static final int INSTANCES = 5;
    private static final int JOB_INSTANCES = 3;
    private static final int ROUNDS_BETWEEN_KILLS = 10;
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final int rounds = Integer.getInteger("holdfast.scheduled.rounds", Effort.of(4, 8));
    private final int jobRounds = Integer.getInteger("holdfast.job.rounds", Effort.of(11, 500));
    private final Map<String, Process> instances = new LinkedHashMap<>();
    private int started;
    private int kills;

    /** One run of the method. */
    private record Run(long round, long token, String instance) {

        static Run parse(String line) {
            String[] words = line.split(" ");
            return new Run(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]);
        }
    }

    private List<Run> runs() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".runs"))
                    .flatMap(ScheduledTest::lines)
                    .map(Run::parse)
                    .sorted(Comparator.comparing(Run::token))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns only whole lines, since an instance may be writing one at this moment. */
    private static Stream<String> lines(Path file) {
        try {
            String text = Files.readString(file);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startInstance(List<URI> nodes, int seconds) {
        String name = "instance-" + started++;
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                ScheduledWorker.class.getName(),
                folder.toString(),
                name,
                nodes.stream().map(URI::toString).collect(Collectors.joining(",")),
                Integer.toString(seconds));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve(name + ".log").toFile())
                    .start();
            OsProcess.endingWithThisJvm(process.toHandle());
            instances.put(name, process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady() {
        await().atMost(SOON)
                .until(() ->
                        instances.keySet().stream().allMatch(name -> Files.exists(folder.resolve(name + ".ready"))));
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void oneRunInEveryRound() {
        try (RedisProcesses servers = RedisProcesses.start(INSTANCES)) {
            for (int i = 0; i < INSTANCES; i++) {
                startInstance(servers.uris(), 5);
            }
            awaitReady();
            awaitRuns(runs().size() + 2);
            long first = lastRun().round() + 1;
            for (int round = 0; round < rounds; round++) {
                awaitRuns(runs().size() + 1);
                harm(round, servers);
            }
            long last = lastRun().round() - 1;
            check(first, last);
        } finally {
            instances.values().forEach(Process::destroyForcibly);
        }
        await().atMost(SOON).until(() -> instances.values().stream().noneMatch(Process::isAlive));
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void e25_aJobEachSecondRunsOnceInEveryRound() {
        try (RedisProcesses servers = RedisProcesses.start(3)) {
            for (int i = 0; i < JOB_INSTANCES; i++) {
                startInstance(servers.uris(), 1);
            }
            awaitReady();
            awaitRuns(runs().size() + 2);
            long first = lastRun().round() + 1;
            for (int round = 1; round <= jobRounds; round++) {
                awaitRuns(runs().size() + 1);
                if (round % ROUNDS_BETWEEN_KILLS == 0) {
                    killTheLast(servers, 1);
                }
            }
            check(first, lastRun().round() - 1);
        } finally {
            instances.values().forEach(Process::destroyForcibly);
        }
        await().atMost(SOON).until(() -> instances.values().stream().noneMatch(Process::isAlive));
    }

    private Run lastRun() {
        List<Run> all = runs();
        return all.get(all.size() - 1);
    }

    private void awaitRuns(int count) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(() -> runs().size() >= count);
    }

    /** The fault after each round, repeated. */
    private void harm(int round, RedisProcesses servers) {
        RedisProcess victim = servers.node(round / 6 % servers.size());
        switch (round % 6) {
            case 0 -> victim.pause();
            case 1 -> killTheLast(servers, 5);
            case 2 -> victim.resume();
            case 3 -> victim.kill();
            case 4 -> victim.restartEmpty(false);
            default -> awaitReady();
        }
    }

    /** Kills the instance that has just run a round. No other instance may run that round again, and none may skip the next one. */
    private void killTheLast(RedisProcesses servers, int seconds) {
        Process leader = instances.remove(lastRun().instance());
        if (leader != null) {
            leader.destroyForcibly();
            kills++;
            startInstance(servers.uris(), seconds);
        }
    }

    private void check(long first, long last) {
        Map<Long, List<Run>> byRound =
                runs().stream().collect(Collectors.groupingBy(Run::round, TreeMap::new, Collectors.toList()));
        List<String> wrong = new ArrayList<>();
        LongStream.rangeClosed(first, last).forEach(round -> {
            List<Run> its = byRound.getOrDefault(round, List.of());
            if (its.size() != 1) {
                wrong.add("round " + (round - first) + ": " + its);
            }
        });
        System.out.printf(
                "%d rounds, %d killed instances, %d rounds with another number of runs than one%n",
                last - first + 1, kills, wrong.size());
        assertThat(wrong)
                .as("rounds of %d with another number of runs than one", last - first + 1)
                .isEmpty();
        assertThat(runs().stream().map(Run::round).toList())
                .as("rounds by token")
                .isSorted();
    }
}
