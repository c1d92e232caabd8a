package dev.holdfast.testkit;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * One client of a {@link FakeCluster}: Holdfast on a machine of its own, with a faulty network to every server. For one
 * thread.
 */
public final class FakeClient {

    private final ManualTiming world;
    private final ManualMachine machine;
    private final Holdfast holdfast;
    private final List<FaultyNode> nodes;

    FakeClient(ManualTiming world, ManualMachine machine, Holdfast holdfast, List<FaultyNode> nodes) {
        this.world = world;
        this.machine = machine;
        this.holdfast = holdfast;
        this.nodes = List.copyOf(nodes);
    }

    /** Returns the client under test. A test must not call its blocking methods where an answer needs time to pass. */
    public Holdfast holdfast() {
        return holdfast;
    }

    /** Returns its machine, with its clocks and pauses. */
    public ManualMachine machine() {
        return machine;
    }

    /** Returns its connection to a server; 0 is the first server. */
    public FaultyNode node(int server) {
        return nodes.get(server);
    }

    /** Returns its connections to these servers. */
    public List<FaultyNode> nodes(int... servers) {
        return IntStream.of(servers).mapToObj(nodes::get).toList();
    }

    /** Returns its connections to all servers. */
    public List<FaultyNode> nodes() {
        return nodes;
    }

    public DistributedLock lock(String name) {
        return holdfast.lock(name);
    }

    /** Tries once to acquire the lock, and lets time pass until there is an outcome. */
    public Acquisition tryAcquire(String name) {
        return tryAcquire(lock(name), Duration.ZERO);
    }

    /** Tries to acquire the lock, waiting up to {@code wait}, and lets time pass until there is an outcome. */
    public Acquisition tryAcquire(DistributedLock lock, Duration wait) {
        return world.await(lock.tryAcquireAsync(wait));
    }

    /** Acquires the lock and returns the lease; fails if the lock is not available at once. */
    public Lease acquire(String name) {
        return tryAcquire(name).lease();
    }

    /** Acquires the lock and returns the lease; fails if the lock is not available at once. */
    public Lease acquire(DistributedLock lock) {
        return tryAcquire(lock, Duration.ZERO).lease();
    }

    /** Queues for the lock without a limit. Nothing happens until time passes. */
    public CompletableFuture<Lease> queue(String name) {
        return queue(lock(name));
    }

    /** Queues for the lock without a limit. Nothing happens until time passes. */
    public CompletableFuture<Lease> queue(DistributedLock lock) {
        CompletableFuture<Lease> lease = lock.acquireAsync(DistributedLock.FOREVER);
        world.drain();
        return lease;
    }

    /** Pauses the process: until it is resumed, it does nothing and reads no messages. */
    public void pause() {
        machine.pause();
        nodes.forEach(node -> {
            node.answers().hold();
            node.pushes().hold();
        });
    }

    /** Resumes the process: it runs its overdue timers first, then reads the messages that have arrived. */
    public void resume() {
        machine.resume();
        world.advance(Duration.ZERO);
        nodes.forEach(node -> {
            node.answers().release();
            node.pushes().release();
        });
        world.drain();
    }

    /** Kills the process: it releases nothing and reads no more messages. */
    public void kill() {
        machine.timing().scheduler().close();
        machine.pause();
        nodes.forEach(node -> {
            node.requests().lose();
            node.answers().lose();
            node.pushes().lose();
        });
    }
}
