package dev.holdfast.redis.live;

import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.HoldfastException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Clients that take turns on a few locks, one thread for each client and lock, and show their tokens to a {@link TokenWatch}. */
final class Turns implements AutoCloseable {

    /** Short, so that a vote whose holder is gone holds up a promoted server for a moment only. */
    private static final Duration TTL = Duration.ofMillis(800);

    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CLIENTS = 3;

    final TokenWatch watch = new TokenWatch();
    private final List<String> locks;
    private final List<Holdfast> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private volatile boolean ended;

    Turns(List<String> locks, String... nodes) {
        this.locks = locks;
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(Holdfast.builder()
                    .nodes(nodes)
                    .lockOptions(options -> options.ttl(TTL).waiterTtl(TTL).localHandOver(false))
                    .fenceRetention(Duration.ofMinutes(1))
                    .connect());
        }
        for (int i = 0; i < CLIENTS; i++) {
            String name = "client " + i;
            Holdfast client = clients.get(i);
            for (String lock : locks) {
                Thread thread = new Thread(() -> takeTurns(name, client, lock), name + " at " + lock);
                threads.add(thread);
                thread.start();
            }
        }
    }

    private void takeTurns(String name, Holdfast client, String lock) {
        while (!ended) {
            long asked = watch.asked(lock);
            try (Acquisition got = client.lock(lock).tryAcquire(WAIT)) {
                if (got instanceof Acquisition.Held held) {
                    watch.got(lock, name, asked, held.lease().fencingToken());
                }
            } catch (HoldfastException e) {
                // The node is away for a moment.
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                synchronized (failures) {
                    failures.add(e);
                }
                return;
            }
        }
    }

    /** Waits until each lock has had so many more turns. */
    void awaitMore(int turns) {
        Map<String, Integer> before = new TreeMap<>();
        locks.forEach(lock -> before.put(lock, watch.turns(lock)));
        await().atMost(SOON).pollInterval(Duration.ofMillis(10)).until(() -> {
            synchronized (failures) {
                if (!failures.isEmpty()) {
                    throw new AssertionError("a client failed", failures.get(0));
                }
            }
            return before.entrySet().stream().allMatch(lock -> watch.turns(lock.getKey()) >= lock.getValue() + turns);
        });
    }

    @Override
    public void close() throws InterruptedException {
        ended = true;
        for (Thread thread : threads) {
            thread.join(SOON.toMillis());
        }
        clients.forEach(Holdfast::close);
    }
}
