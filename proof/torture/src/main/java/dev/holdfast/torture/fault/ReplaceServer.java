package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.ClusterProcess;
import dev.holdfast.torture.world.World;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A server that has lost its disk: it is removed, starts with an empty disk, and is added again. One server at a time: a cluster of three does not survive the loss
 * of two disks.
 */
final class ReplaceServer implements Fault {

    private static final long WITHIN_NANOS = 120_000_000_000L;

    private final Lock onlyOne = new ReentrantLock();

    @Override
    public String name() {
        return "server replaced after the loss of its disk";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        onlyOne.lockInterruptibly();
        try (Claims.Claim claim = Lead.claim(world, random, random.nextInt(3) == 0)) {
            ClusterProcess server = world.cluster().process(claim.number());
            server.kill();
            server.loseDisk();
            retry(world, "removed", leader -> leader.remove(server));
            server.start();
            retry(world, "added", leader -> leader.add(server));
        } finally {
            onlyOne.unlock();
        }
    }

    private interface Change {
        boolean madeBy(ClusterProcess leader) throws InterruptedException;
    }

    /** Asks the leader until it has made the change: another fault may change the leader meanwhile. */
    private static void retry(World world, String done, Change change) throws InterruptedException {
        long end = System.nanoTime() + WITHIN_NANOS;
        while (System.nanoTime() - end < 0) {
            Optional<Integer> leader = world.cluster().leader();
            if (leader.isPresent() && change.madeBy(world.cluster().process(leader.get()))) {
                return;
            }
            world.rest(Duration.ofMillis(200));
        }
        throw new IllegalStateException("the server was not " + done);
    }
}
