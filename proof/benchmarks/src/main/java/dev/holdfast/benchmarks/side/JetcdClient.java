package dev.holdfast.benchmarks.side;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.lock.LockResponse;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A client of an etcd cluster with jetcd's lock API. A lock needs a lease, as in the sessions of etcd's own client. The
 * client keeps its leases alive, and each serves one holder or waiter at a time.
 */
final class JetcdClient implements LockClient {

    private static final long TTL_SECONDS = 60; // of a session of etcd's own client
    private static final long RETRY_AFTER_MILLIS = 10;
    private static final int MOST_RETRIES = 3_000;

    private final Client client;
    private final Deque<Long> idle = new ConcurrentLinkedDeque<>();

    JetcdClient(List<String> members) {
        client = Client.builder().endpoints(members.toArray(String[]::new)).build();
    }

    private static ByteSequence bytes(String name) {
        return ByteSequence.from(name, StandardCharsets.UTF_8);
    }

    @Override
    public NamedLock lock(String name) {
        ByteSequence coded = bytes(name);
        return () -> {
            long lease = await(this::lease);
            ByteSequence key = await(() -> locked(coded, lease)).getKey();
            return () -> release(key, lease);
        };
    }

    private CompletableFuture<LockResponse> locked(ByteSequence name, long lease) {
        return client.getLockClient().lock(name, lease);
    }

    /** Returns an idle lease, or a new one. */
    private CompletableFuture<Long> lease() {
        Long free = idle.poll();
        return free != null
                ? CompletableFuture.completedFuture(free)
                : client.getLeaseClient().grant(TTL_SECONDS).thenApply(granted -> {
                    client.getLeaseClient().keepAlive(granted.getID(), new Quiet());
                    return granted.getID();
                });
    }

    private void release(ByteSequence key, long lease) {
        try {
            client.getLockClient().unlock(key).get();
            idle.push(lease);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("unlock failed", e.getCause());
        }
    }

    /** A request that can be sent again. */
    @FunctionalInterface
    private interface Request<T> {
        CompletableFuture<T> send();
    }

    /** Sends a request until it succeeds. A second lock request of one lease has the same key as the first. */
    private static <T> T await(Request<T> request) throws InterruptedException {
        for (int failed = 0; ; failed++) {
            try {
                return request.send().get();
            } catch (ExecutionException e) {
                if (failed == MOST_RETRIES) {
                    throw new IllegalStateException("a request failed", e.getCause());
                }
                TimeUnit.MILLISECONDS.sleep(RETRY_AFTER_MILLIS);
            }
        }
    }

    @Override
    public AsyncLock asyncLock(String name) {
        ByteSequence coded = bytes(name);
        return whenHeld -> lease().thenCompose(lease -> locked(coded, lease).thenApply(held -> {
            whenHeld.accept(then -> client.getLockClient().unlock(held.getKey()).thenRun(() -> {
                idle.push(lease);
                then.run();
            }));
            return held;
        }));
    }

    @Override
    public void close() {
        client.close();
    }

    /** A listener that does nothing: jetcd itself extends the lease. */
    private static final class Quiet implements StreamObserver<LeaseKeepAliveResponse> {

        @Override
        public void onNext(LeaseKeepAliveResponse extended) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }
}
