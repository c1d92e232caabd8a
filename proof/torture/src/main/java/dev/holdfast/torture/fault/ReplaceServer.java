package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.ClusterProcess;
import dev.holdfast.torture.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A server that has lost its disk: it is removed, starts with an empty disk, and is added again. One server at a time: a cluster of three does not survive
 * the loss of two disks. So if a server could not be replaced in time, the next strike goes on with it.
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
        try (Claims.Claim claim = claim(world, random)) {
            ClusterProcess server = world.cluster().process(claim.number());
            server.kill();
            if (!server.isLost()) {
                server.loseDisk();
            }
            retry(world, server, "removed", other -> other.remove(server));
            server.start();
            retry(world, server, "added", other -> add(other, server));
        } finally {
            onlyOne.unlock();
        }
    }

    /**
     * Adds the server, or does what the refusal says: a removal that looked complete may be undone by the next leader of a group. The server ends at its start
     * if a member that lags still knows it with other data, so it is started again.
     */
    private static String add(ClusterProcess other, ClusterProcess server) throws InterruptedException {
        if (!server.isRunning()) {
            server.start();
        }
        String refusal = other.add(server);
        return refusal.contains("remove it, and add it again") ? refusal + " " + other.remove(server) : refusal;
    }

    private static Claims.Claim claim(World world, Random random) throws InterruptedException {
        List<ClusterProcess> servers = world.cluster().processes();
        for (int number = 0; number < servers.size(); number++) {
            if (servers.get(number).isLost()) {
                return world.serverClaims().takeThis(number);
            }
        }
        return Lead.claim(world, random, random.nextInt(3) == 0);
    }

    private interface Change {
        /** Returns an empty text if the change is made, or else the reason why it is not. */
        String by(ClusterProcess other) throws InterruptedException;
    }

    /**
     * Asks the other servers in turn until one has made the change: another fault may change a leader meanwhile. The server itself knows only the leaders of
     * the groups that it is already a member of.
     */
    private static void retry(World world, ClusterProcess server, String done, Change change)
            throws InterruptedException {
        long end = System.nanoTime() + WITHIN_NANOS;
        String refusal = "no other server runs";
        while (System.nanoTime() - end < 0) {
            for (ClusterProcess other : world.cluster().processes()) {
                if (other != server && other.isRunning() && !other.isPaused()) {
                    refusal = change.by(other);
                    if (refusal.isEmpty()) {
                        return;
                    }
                }
            }
            world.rest(Duration.ofMillis(200));
        }
        throw new IllegalStateException("the server was not " + done + ": " + refusal);
    }
}
