package dev.holdfast.redis.connection;

import io.lettuce.core.RedisClient;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lettuce's threads, shared by all Redis nodes of this process: an event loop for every two processors, however many nodes and clients there are. Made with
 * the first node, unless they are {@linkplain #prepare prepared}, and stopped soon after the last one is closed.
 */
public final class SharedResources {

    /** The most flushes that are combined into one while the event loop still reads, across the threads that lock at the same time. */
    private static final int MOST_FLUSHES_AT_ONCE = 256;

    /** The threads that lock need processors too. */
    private static final int PROCESSORS_OF_A_LOOP = 2;

    private static final int COMPUTATION_THREADS = 2;

    /** Event loops accept tasks for this long after the last one, so that a connection that is closing can report its end. */
    static final long QUIET_MILLIS = 50;

    /** After this time they end in any case. */
    static final long STOP_MILLIS = 500;

    private static @Nullable ClientResources resources;
    private static @Nullable EventLoops loops;
    private static int users;

    private SharedResources() {}

    /**
     * Makes the threads before there is a node, and loads the driver meanwhile, so that the first node connects sooner. The threads then stay until the
     * process ends.
     */
    public static void prepare() {
        RedisClient.create(acquire());
    }

    static synchronized ClientResources acquire() {
        users++;
        ClientResources shared = resources;
        if (shared == null) {
            EventLoops made =
                    new EventLoops(Math.max(Runtime.getRuntime().availableProcessors() / PROCESSORS_OF_A_LOOP, 1));
            shared = create(made);
            loops = made;
            resources = shared;
        }
        return shared;
    }

    static synchronized void release() {
        users--;
        ClientResources shared = resources;
        EventLoops made = loops;
        if (users == 0 && shared != null && made != null) {
            resources = null;
            loops = null;
            shared.shutdown(QUIET_MILLIS, STOP_MILLIS, TimeUnit.MILLISECONDS);
            made.shutdown(
                    QUIET_MILLIS,
                    STOP_MILLIS,
                    TimeUnit.MILLISECONDS); // Lettuce does not stop resources that it was given
        }
    }

    /** Runs a task once every event loop has read what had arrived. */
    static void afterReading(Runnable task) {
        EventLoops made;
        synchronized (SharedResources.class) {
            made = loops;
        }
        if (made == null) {
            task.run();
        } else {
            made.afterReading(task);
        }
    }

    private static ClientResources create(EventLoops loops) {
        return DefaultClientResources.builder()
                .eventLoopGroupProvider(loops)
                .computationThreadPoolSize(COMPUTATION_THREADS)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        if (channel.pipeline().get(ScriptClient.Handler.class)
                                == null) { // ServerConnection flushes once for many commands
                            channel.pipeline().addFirst(new FlushConsolidationHandler(MOST_FLUSHES_AT_ONCE, true));
                        }
                    }
                })
                .build();
    }
}
