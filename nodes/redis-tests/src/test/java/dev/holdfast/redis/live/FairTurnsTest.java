package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.testkit.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three clients with eight threads each want one lock, with hand-over: what the nodes' queues see of it. */
@Tag("slow")
class FairTurnsTest {

    private static final String LOCK = "fair";
    private static final int MOST_TURNS = 16;
    private static final int TURNS = Integer.getInteger("holdfast.turns", Effort.of(200, 600));

    private static final int MOST_ROUNDS = 10;

    /** A turn, and the clients that waited at a majority of the nodes during it. */
    private record Taken(String client, Set<String> waiting) {

        boolean othersWaited() {
            return waiting.stream().anyMatch(other -> !other.equals(client));
        }

        /** Returns whether a client waits that will still wait once the next one has the lock. */
        boolean othersWaitedBehind(String next) {
            return waiting.stream().anyMatch(other -> !other.equals(next));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void c10_noClientTakesMoreThanSixteenTurnsWhileAnotherWaits(int nodes) throws Exception {
        try (LiveNodes live = new LiveNodes(nodes)) {
            List<Holdfast> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(live.client(LiveNodes::lasting));
            }
            Holdfast onlooker = live.client();
            int judged = 0;
            for (int round = 0;
                    judged <= TURNS / 2 && round < MOST_ROUNDS;
                    round++) { // on a busy machine, leases are often alone
                judged += judge(takeTurns(clients, onlooker));
            }
            assertThat(judged).as("turns of leases with others behind them").isGreaterThan(TURNS / 2);
        }
    }

    /** Lets eight threads of each client take turns, and returns the turns in their order. */
    private static List<Taken> takeTurns(List<Holdfast> clients, Holdfast onlooker) throws InterruptedException {
        List<Taken> taken = new ArrayList<>(); // under the lock
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch done = new CountDownLatch(24);
        for (int thread = 0; thread < 24; thread++) {
            Holdfast client = clients.get(thread % 3);
            CompletableFuture.runAsync(
                    () -> {
                        try {
                            while (!over.get()) {
                                try (Lease lease = client.lock(LOCK).acquire(LiveNodes.SOON)) {
                                    taken.add(new Taken(client.client(), waiting(onlooker)));
                                    over.compareAndSet(false, taken.size() >= TURNS);
                                }
                            }
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        } finally {
                            done.countDown();
                        }
                    },
                    command -> new Thread(command, "turns").start());
        }
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        return taken;
    }

    /** Returns how many turns were of leases with others behind them, none of which took too many. */
    private static int judge(List<Taken> taken) {
        Map<String, Integer> turns = new HashMap<>();
        Taken last = taken.get(0);
        boolean alone = true; // whether this lease began before others came, who are heard of in the course of it
        int inARow = 0;
        int judged = 0;
        for (Taken turn : taken) {
            turns.merge(turn.client, 1, Integer::sum);
            if (!turn.client.equals(last.client)) {
                alone = !last.othersWaitedBehind(turn.client);
                inARow = 0;
            }
            inARow += turn.othersWaited() && !alone ? 1 : 0;
            judged += alone ? 0 : 1;
            last = turn;
            assertThat(inARow).as("turns of " + last.client).isLessThanOrEqualTo(MOST_TURNS);
        }
        assertThat(turns).hasSize(3);
        return judged;
    }

    /** Returns the clients with a request in the queues of a majority of the nodes. */
    private static Set<String> waiting(Holdfast onlooker) {
        Map<String, Long> nodes = LiveNodes.status(onlooker, LOCK).nodes().stream()
                .flatMap(node -> node.state().stream())
                .flatMap(state -> state.waiters().stream()
                        .map(waiter ->
                                waiter.owner().substring(0, waiter.owner().indexOf('/')))
                        .distinct())
                .collect(Collectors.groupingBy(client -> client, Collectors.counting()));
        int majority = onlooker.admin().nodeNames().size() / 2 + 1;
        return nodes.keySet().stream()
                .filter(client -> nodes.get(client) >= majority)
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void c10_aLeaseThatLingersGoesAtOnceToWhoWaitedBehindItsGrant(int nodes) throws Exception {
        try (LiveNodes live = new LiveNodes(nodes)) {
            Duration linger = LiveNodes.TTL.multipliedBy(10);
            Lease holder = live.client(LiveNodes::lasting).lock(LOCK).acquire(LiveNodes.SOON);
            Holdfast onlooker = live.client();
            CompletableFuture<Lease> second = live.client(LiveNodes::lasting)
                    .lock(LOCK)
                    .linger(linger)
                    .acquireAsync(LiveNodes.SOON)
                    .toCompletableFuture();
            LiveNodes.awaitWaiters(onlooker, LOCK, 1);
            CompletableFuture<Lease> third = live.client(LiveNodes::lasting)
                    .lock(LOCK)
                    .acquireAsync(LiveNodes.SOON)
                    .toCompletableFuture();
            LiveNodes.awaitWaiters(onlooker, LOCK, 2);

            holder.release();
            second.get(LiveNodes.SOON.toSeconds(), TimeUnit.SECONDS).release();

            await().atMost(LiveNodes.TTL)
                    .until(third::isDone); // a lease extends itself after a third of its ttl at the soonest
            third.join().release();
        }
    }
}
