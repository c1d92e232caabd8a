package dev.holdfast.redis.live;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import io.lettuce.core.RedisClient;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A process whose clients use every kind of request and a push, with the Lettuce and Netty of its class path. */
public final class OldestLettuceWorker {

    private static final Duration LONG = Duration.ofSeconds(30);

    private OldestLettuceWorker() {}

    /** Takes the addresses of the nodes, and prints which jars it has used. */
    public static void main(String[] args) throws Exception {
        try (Holdfast first = LiveNodes.settings(args)
                        .restartQuarantine(Duration.ZERO)
                        .connect();
                Holdfast second = LiveNodes.settings(args)
                        .restartQuarantine(Duration.ZERO)
                        .connect()) {
            Lease held = first.lock("oldest").acquire(LONG);
            CountDownLatch contended = new CountDownLatch(1);
            held.onContended(contended::countDown);
            var waiting = second.lock("oldest").acquireAsync(LONG).toCompletableFuture();
            require(contended.await(LONG.toSeconds(), TimeUnit.SECONDS), "the push that says that a client waits");
            held.extend(LiveNodes.TTL);
            held.release();
            Lease next = waiting.get(LONG.toSeconds(), TimeUnit.SECONDS);
            require(next.fencingToken() > held.fencingToken(), "a larger token");
            next.release();
            first.lock("oldest").shared().acquire(LONG).release();
        }
        System.out.println("used " + jar(RedisClient.class) + " and " + jar(Channel.class));
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("missing: " + what);
        }
    }

    private static String jar(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().toString();
    }
}
