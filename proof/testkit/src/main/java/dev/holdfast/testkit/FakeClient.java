package dev.holdfast.testkit;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** One client of a {@link FakeCluster}: Holdfast on a machine of its own, and a faulty network to every server. For one thread. */
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

    /** Returns the client under test. Its blocking methods must not be used where an answer needs time to pass. */
    public Holdfast holdfast() {
        return holdfast;
    }

    /** Returns its machine: clocks, pauses. */
    public ManualMachine machine() {
        return machine;
    }

    /** Returns its way to a server; 0 is the first. */
    public FaultyNode node(int server) {
        return nodes.get(server);
    }

    /** Returns its ways to these servers. */
    public List<FaultyNode> nodes(int... servers) {
        return IntStream.of(servers).mapToObj(nodes::get).toList();
    }

    /** Returns its ways to all servers. */
    public List<FaultyNode> nodes() {
        return nodes;
    }

    public DistributedLock lock(String name) {
        return holdfast.lock(name);
    }

    /** Asks once; lets as much time pass as that takes. */
    public Acquisition tryAcquire(String name) {
        return tryAcquire(lock(name), Duration.ZERO);
    }

    /** Waits for so long at most; lets as much time pass as that takes. */
    public Acquisition tryAcquire(DistributedLock lock, Duration wait) {
        return world.await(lock.tryAcquireAsync(wait));
    }

    /** Returns the lease, which must be had at once. */
    public Lease acquire(String name) {
        return tryAcquire(name).lease();
    }

    /** Returns the lease, which must be had at once. */
    public Lease acquire(DistributedLock lock) {
        return tryAcquire(lock, Duration.ZERO).lease();
    }

    /** Stands in line without end; nothing happens until time passes. */
    public CompletableFuture<Lease> queue(String name) {
        return queue(lock(name));
    }

    /** Stands in line without end; nothing happens until time passes. */
    public CompletableFuture<Lease> queue(DistributedLock lock) {
        CompletableFuture<Lease> lease = lock.acquireAsync(DistributedLock.FOREVER);
        world.drain();
        return lease;
    }

    /** The process stands still: nothing is done, and nothing that comes in is read, until it is resumed. */
    public void pause() {
        machine.pause();
        nodes.forEach(node -> {
            node.answers().hold();
            node.pushes().hold();
        });
    }

    /** The process goes on: first its timers that are overdue, then what has come in. */
    public void resume() {
        machine.resume();
        world.advance(Duration.ZERO);
        nodes.forEach(node -> {
            node.answers().release();
            node.pushes().release();
        });
        world.drain();
    }

    /** The process is gone, like one that was killed: nothing is released, and nobody listens. */
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
