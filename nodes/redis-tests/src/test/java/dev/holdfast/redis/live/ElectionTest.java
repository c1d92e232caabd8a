package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.redis.live.ElectionHistory.Belief;
import dev.holdfast.redis.live.ElectionHistory.Event;
import dev.holdfast.redis.process.OsProcess;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.testkit.Effort;
import dev.holdfast.testkit.Stalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Five processes stand for one election on five servers. The leader is killed, stopped and continued, steps down, hands over and leaves;
 * servers are killed, come back empty, and stand still; a majority of them stands still. Terms rise, no two processes believe that they lead at the same
 * time, a deposed leader is notified in time, and no candidate waits longer than a ttl and a second. {@code -Dholdfast.election.changes} says how many
 * changes of leader, {@code -Dholdfast.election.seed} in which order what happens.
 *
 * <p>A time in which the machine had no processor for these processes says nothing about Holdfast. It is not judged, and more changes are made until enough
 * times are; where the machine never has a processor for long enough, the test fails.
 */
@Tag("slow")
class ElectionTest {

    private static final int CANDIDATES = 5;
    private static final Duration TTL = Duration.ofMillis(1_000);
    private static final Duration LONGEST_WAIT = TTL.plusSeconds(1);
    private static final Duration MARGIN = TTL.dividedBy(20);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Without a processor for longer than this, a wait is not judged. */
    private static final Duration LONGEST_STALL = TTL.dividedBy(2);

    /**
     * A late notification is not judged if a thread that only sleeps had to wait for longer than this before it ran again. A thread that works waits that long
     * several times: after each of its slices of processor time. In a process that notifies for the first time the work takes several slices.
     */
    private static final Duration LONGEST_STALL_OF_NOTIFICATION = MARGIN.dividedBy(5);

    private static final int LEAST_WAITS = 8;
    private static final int LEAST_REVOKED = 2;
    private static final int LEAST_CONTINUED = 1;
    private static final int MOST_ROUNDS = 5;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** A restarted server votes again after its quarantine, once clients have reconnected; so the test allows some more time. */
    private static final Duration BACK_AFTER = TTL.plusSeconds(2);

    private enum Fault {
        KILL,
        STOP_AND_CONTINUE,
        STEP_DOWN,
        HAND_OVER,
        LEAVE,
        MAJORITY_STANDS_STILL,
    }

    @TempDir
    Path folder;

    private final long seed = Long.getLong("holdfast.election.seed", System.nanoTime());
    private final int changes = Integer.getInteger("holdfast.election.changes", Effort.of(12, 30));
    private final Random random = new Random(seed);
    private final Map<String, Process> workers = new LinkedHashMap<>();
    private final List<String> everyWorker = new ArrayList<>();
    private final List<Long> majorityBack = new ArrayList<>();
    private final List<Fault> faultsToCome = new ArrayList<>();
    private final Map<Long, Fault> hitBy = new TreeMap<>(); // by term
    private final Map<Long, Long> continued = new TreeMap<>(); // by term, when
    private final TreeMap<Long, String> done = new TreeMap<>(); // when
    private final Map<Integer, Long> serversOut = new TreeMap<>(); // until when

    private ElectionHistory history() {
        return new ElectionHistory(folder, everyWorker);
    }

    private void startWorker(LiveNodes live) {
        String name = "worker-" + everyWorker.size();
        List<String> args = new ArrayList<>(List.of(folder.toString(), name, Long.toString(TTL.toMillis())));
        args.addAll(Arrays.asList(live.uris()));
        Process process = Jvm.start(ElectionWorker.class, folder.resolve(name + ".log"), args);
        everyWorker.add(name);
        workers.put(name, process);
        OsProcess.endingWithThisJvm(process.toHandle());
    }

    private OsProcess process(String worker) {
        return OsProcess.endingWithThisJvm(workers.get(worker).toHandle());
    }

    private void order(String worker, String order) throws IOException {
        workers.get(worker).getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
        workers.get(worker).getOutputStream().flush();
    }

    private void until(String what, BooleanSupplier condition) {
        try {
            await(what + ", seed " + seed)
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(5))
                    .until(condition::getAsBoolean);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    e.getMessage() + "\n"
                            + String.join("\n", story(System.nanoTime() - 2 * PATIENCE.toNanos(), System.nanoTime())),
                    e);
        }
    }

    /** The latest actions and notifications, and the logs of the workers. */
    private List<String> story(long fromNanos, long toNanos) {
        TreeMap<Long, String> all = new TreeMap<>(done);
        history().events().forEach(event -> all.put(event.nanos(), event.toString()));
        List<String> lines = new ArrayList<>();
        all.subMap(fromNanos, toNanos).forEach((nanos, what) -> lines.add(nanos / NANOS_PER_MILLI + " " + what));
        for (String worker : workers.keySet()) {
            try {
                lines.add(worker + ": " + Files.readString(folder.resolve(worker + ".log")));
            } catch (IOException e) {
                lines.add(worker + ": " + e);
            }
        }
        return lines;
    }

    private void does(String what) {
        done.put(System.nanoTime(), what);
    }

    private Event awaitLeaderAfter(long term) {
        until(
                "a leader after term " + term,
                () -> history().leader().filter(next -> next.term() > term).isPresent());
        return history().leader().orElseThrow();
    }

    /** Processes that are still starting cannot follow in time. */
    private void awaitStanding(int count) {
        until(
                "a leader and others that stand",
                () -> history().events("stands").stream()
                                .filter(event -> workers.containsKey(event.worker()))
                                .count()
                        >= count);
    }

    private boolean isTold(String kind, long term) {
        return history().events(kind).stream().anyMatch(event -> event.term() == term);
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void thereIsOneLeaderAfterTheOtherWhateverHappens() throws Exception {
        System.out.println("election: seed " + seed + ", " + changes + " changes");
        try (Stalls stalls = new Stalls();
                LiveNodes live = new LiveNodes(5);
                Holdfast looker = ElectionWorker.settings(TTL, live.uris()).connect()) {
            try {
                for (int i = 0; i < CANDIDATES; i++) {
                    startWorker(live);
                }
                awaitStanding(CANDIDATES);
                Event leader = awaitLeaderAfter(0);
                int elections = 0;
                while (elections <= changes || (elections <= changes * MOST_ROUNDS && !isEnoughJudged(stalls))) {
                    awaitStanding(3);
                    troubleServers(live, looker);
                    leader = awaitLeaderAfter(trouble(live, leader));
                    elections = history().events("elected").size();
                }
                for (int server = 0; server < live.servers.size(); server++) {
                    bringBack(live.server(server));
                }
                endWorkers();
            } finally {
                workers.values().forEach(Process::destroyForcibly);
            }
            check(stalls);
        }
    }

    /** Each kind comes before any comes again. */
    private Fault nextFault() {
        if (faultsToCome.isEmpty()) {
            faultsToCome.addAll(List.of(Fault.values()));
            Collections.shuffle(faultsToCome, random);
        }
        return faultsToCome.remove(0);
    }

    /** Something happens to the leader; says in which term. */
    private long trouble(LiveNodes live, Event leader) throws Exception {
        Fault fault = nextFault();
        String worker = leader.worker();
        long term = leader.term();
        hitBy.put(term, fault);
        does(fault + " of " + worker + " in term " + term);
        switch (fault) {
            case KILL -> {
                process(worker).kill();
                workers.remove(worker);
                startWorker(live);
            }
            case STOP_AND_CONTINUE -> {
                process(worker).pause();
                awaitLeaderAfter(term);
                continued.put(term, System.nanoTime());
                process(worker).resume();
                until(worker + " is told that term " + term + " is over", () -> isTold("ended", term));
            }
            case STEP_DOWN -> order(worker, "down");
            case HAND_OVER -> {
                List<String> others = new ArrayList<>(workers.keySet());
                others.remove(worker);
                others.add("nobody");
                order(worker, "hand " + others.get(random.nextInt(others.size())));
            }
            case LEAVE -> {
                order(worker, "exit");
                assertThat(workers.get(worker).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                workers.remove(worker);
                startWorker(live);
            }
            case MAJORITY_STANDS_STILL -> {
                List<RedisProcess> still = new ArrayList<>();
                for (int server = 0; server < live.servers.size() && still.size() < 3; server++) {
                    if (!serversOut.containsKey(server)) {
                        still.add(live.server(server));
                    }
                }
                still.forEach(RedisProcess::pause);
                does("stand still: " + still);
                until("term " + term + " ends without a majority", () -> isTold("ended", term));
                still.forEach(RedisProcess::resume);
                majorityBack.add(System.nanoTime());
                does("and go on");
            }
        }
        return term;
    }

    /** Up to two servers at a time are gone, or stand still, or are in quarantine. */
    private void troubleServers(LiveNodes live, Holdfast looker) throws InterruptedException {
        long now = System.nanoTime();
        for (Map.Entry<Integer, Long> out : serversOut.entrySet()) {
            RedisProcess server = live.server(out.getKey());
            if (!server.isRunning() || server.isPaused()) {
                does("server " + out.getKey() + " comes back: " + server);
                bringBack(server);
                out.setValue(now + BACK_AFTER.toNanos());
            }
        }
        List<NodeStatus> statuses = looker.admin().nodes();
        serversOut
                .entrySet()
                .removeIf(out ->
                        out.getValue() - now < 0 && statuses.get(out.getKey()).state() == NodeStatus.State.UP);
        int server = random.nextInt(live.servers.size());
        if (serversOut.size() < 2 && !serversOut.containsKey(server) && random.nextInt(3) == 0) {
            does("server " + server + " goes away");
            serversOut.put(server, now + BACK_AFTER.toNanos());
            switch (random.nextInt(3)) {
                case 0 -> live.server(server).pause();
                case 1 -> live.server(server).restartEmpty();
                default -> live.server(server).kill();
            }
        }
    }

    private static void bringBack(RedisProcess server) {
        if (!server.isRunning()) {
            server.restartEmpty();
        } else if (server.isPaused()) {
            server.resume();
        }
    }

    private void endWorkers() throws Exception {
        for (Map.Entry<String, Process> worker : workers.entrySet()) {
            order(worker.getKey(), "exit");
        }
        for (Map.Entry<String, Process> worker : workers.entrySet()) {
            assertThat(worker.getValue().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as(worker.getKey())
                    .isTrue();
            assertThat(worker.getValue().exitValue()).as(worker.getKey()).isZero();
        }
    }

    // ---- what must hold

    /** From the end of one leadership, or from when a majority was back after it, to the next. */
    private record Wait(Belief before, Belief next, String why, Duration time, Duration stalled) {

        boolean isJudged() {
            return stalled.compareTo(LONGEST_STALL) <= 0;
        }
    }

    /** The notification of a leader's end: the remaining time of its lease then, and the longest time for which it had just waited for a processor. */
    private record Revoked(Event event, Duration left, Duration stalled) {

        boolean isInTime() {
            return !left.isNegative() && !left.isZero();
        }

        boolean isJudged() {
            return isInTime() || stalled.compareTo(LONGEST_STALL_OF_NOTIFICATION) <= 0;
        }
    }

    /** The time from the resumption of a stopped process to the notification of its leader. */
    private record Continued(Event event, Duration time, Duration stalled) {

        boolean isJudged() {
            return stalled.compareTo(LONGEST_STALL) <= 0;
        }
    }

    private boolean isEnoughJudged(Stalls stalls) throws InterruptedException {
        return waits(stalls).stream().filter(Wait::isJudged).count() >= LEAST_WAITS
                && revoked().stream().filter(Revoked::isJudged).count() >= LEAST_REVOKED
                && continued(stalls).stream().filter(Continued::isJudged).count() >= LEAST_CONTINUED;
    }

    private List<Wait> waits(Stalls stalls) throws InterruptedException {
        List<Belief> beliefs = history().beliefs();
        List<Wait> waits = new ArrayList<>();
        for (int i = 1; i < beliefs.size(); i++) {
            Belief before = beliefs.get(i - 1);
            Belief next = beliefs.get(i);
            long since = majorityBack.stream()
                    .filter(back -> back > before.toNanos() && back < next.fromNanos())
                    .findFirst()
                    .orElse(before.toNanos());
            Fault fault = hitBy.get(before.term());
            waits.add(new Wait(
                    before,
                    next,
                    fault == null ? "BY_ITSELF" : fault.toString(),
                    Duration.ofNanos(next.fromNanos() - since),
                    stalls.between(since, next.fromNanos())));
        }
        return waits;
    }

    private List<Revoked> revoked() {
        return history().events("revoked").stream()
                .filter(event -> !continued.containsKey(event.term()))
                .map(event -> {
                    String[] words = event.rest().split(" ");
                    return new Revoked(
                            event,
                            Duration.ofNanos(Long.parseLong(words[0])),
                            Duration.ofNanos(Long.parseLong(words[1])));
                })
                .toList();
    }

    private List<Continued> continued(Stalls stalls) throws InterruptedException {
        List<Continued> all = new ArrayList<>();
        for (Event event : history().events("revoked")) {
            Long since = continued.get(event.term());
            if (since != null) {
                all.add(new Continued(
                        event, Duration.ofNanos(event.nanos() - since), stalls.between(since, event.nanos())));
            }
        }
        return all;
    }

    private void check(Stalls stalls) throws InterruptedException {
        List<Event> elected = history().events("elected");
        assertThat(history().events("error")).as("seed %s", seed).isEmpty();
        assertThat(elected.stream().map(Event::term))
                .as("terms in the order in which they began, seed %s", seed)
                .isSorted()
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(changes);

        List<Wait> waits = waits(stalls);
        waits.forEach(this::checkOneAfterTheOther);
        List<Wait> judgedWaits = waits.stream().filter(Wait::isJudged).toList();
        judgedWaits.forEach(this::checkSoonEnough);
        List<Revoked> judgedRevoked =
                revoked().stream().filter(Revoked::isJudged).toList();
        judgedRevoked.forEach(this::checkToldInTime);
        List<Continued> judgedContinued =
                continued(stalls).stream().filter(Continued::isJudged).toList();
        assertThat(judgedContinued)
                .as("seed %s: told after it was continued, but for the time without CPU", seed)
                .allMatch(told -> told.time().minus(told.stalled()).compareTo(TTL) < 0);

        System.out.printf(
                "election: %d leaderships, judged: %d of %d waits, %d of %d that were told, %d of %d that were"
                        + " stopped%n",
                elected.size(),
                judgedWaits.size(),
                waits.size(),
                judgedRevoked.size(),
                revoked().size(),
                judgedContinued.size(),
                continued(stalls).size());
        assertThat(isEnoughJudged(stalls))
                .as("seed %s: this machine had a processor for the test for long enough to judge what it is for", seed)
                .isTrue();
    }

    private void checkOneAfterTheOther(Wait wait) {
        assertThat(wait.next().term())
                .as("seed %s", seed)
                .isGreaterThan(wait.before().term());
        assertThat(wait.next().fromNanos())
                .as(
                        "seed %s: term %s is believed in when %s is no more",
                        seed, wait.next().term(), wait.before().term())
                .isGreaterThan(wait.before().toNanos());
    }

    private void checkSoonEnough(Wait wait) {
        Duration waited = wait.time().minus(wait.stalled());
        if (waited.compareTo(LONGEST_WAIT) > 0) {
            throw new AssertionError("seed %s: %s without a leader after term %s, %s, but for %s without CPU%n%s"
                    .formatted(
                            seed,
                            waited,
                            wait.before().term(),
                            wait.why(),
                            wait.stalled(),
                            String.join(
                                    "\n",
                                    story(
                                            wait.before().fromNanos() - PATIENCE.toNanos() / 3,
                                            wait.next().toNanos()))));
        }
    }

    private void checkToldInTime(Revoked told) {
        Event event = told.event();
        if (!told.isInTime()) {
            throw new AssertionError("seed %s: told too late, %s%n%s"
                    .formatted(
                            seed,
                            event,
                            String.join("\n", story(event.nanos() - PATIENCE.toNanos() / 3, event.nanos() + 1))));
        }
        history().beliefs().stream()
                .filter(belief -> belief.term() > event.term())
                .findFirst()
                .ifPresent(next -> assertThat(next.fromNanos())
                        .as("seed %s: the next leader after %s", seed, event)
                        .isGreaterThan(event.nanos()));
    }
}
