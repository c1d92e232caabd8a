package dev.holdfast.benchmarks.work;

import dev.holdfast.benchmarks.side.LockClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client that requests another free lock again and again, without waiting for the answers, until the first of them is
 * granted. One lost request thus does not hide that the servers grant locks again. Parameters: lock (the prefix of
 * the names), every (the time between two requests).
 */
final class FirstGrant implements Work {

    private static final int MOST_REQUESTS = 1_000;

    @Override
    public Answer run(Order order, Clients clients) throws Exception {
        LockClient client = clients.first();
        CompletableFuture<Object> granted = new CompletableFuture<>();
        for (int i = 0; i < MOST_REQUESTS && !isDone(granted, i == 0 ? 0 : order.nanos("every")); i++) {
            String name = order.text("lock") + i;
            Thread thread = new Thread(() -> request(client, name, clients, granted), name);
            thread.setDaemon(true);
            thread.start();
        }
        granted.get(order.nanos("every"), TimeUnit.NANOSECONDS);
        return Answer.NOTHING;
    }

    private static boolean isDone(CompletableFuture<Object> granted, long waitNanos)
            throws InterruptedException, ExecutionException {
        try {
            granted.get(waitNanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Requests one lock, and keeps it. A request that fails is no grant. */
    private static void request(LockClient client, String name, Clients clients, CompletableFuture<Object> granted) {
        try {
            granted.complete(clients.keep(client.lock(name).acquire()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            System.err.println(name + " was not granted: " + e);
        }
    }
}
