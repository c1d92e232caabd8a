package dev.holdfast.redis.live;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;

/** A process that waits in the queue forever, until the test kills it. */
public final class WaitingWorker {

    private WaitingWorker() {}

    /** Arguments: the lock, the nodes. */
    public static void main(String[] args) throws InterruptedException {
        String[] nodes = java.util.Arrays.copyOfRange(args, 1, args.length);
        try (Holdfast holdfast = LiveNodes.settings(nodes).connect();
                Lease lease = holdfast.lock(args[0]).acquire()) {
            System.out.println("token " + lease.fencingToken());
            holdfast.lock(args[0]).acquire(); // waits for itself: it is killed, never served
        }
    }
}
