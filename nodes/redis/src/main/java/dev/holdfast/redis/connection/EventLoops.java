package dev.holdfast.redis.connection;

import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Lettuce's event loops, which this class remembers so that a task can run once all of them have read what had arrived. Thread-safe. */
final class EventLoops extends DefaultEventLoopGroupProvider {

    /** The latest group: one that Lettuce has released may take a task and never run it. */
    private volatile @Nullable EventExecutorGroup group;

    EventLoops(int threads) {
        super(threads);
    }

    @Override
    protected <T extends EventLoopGroup> EventExecutorGroup doCreateEventLoopGroup(
            Class<T> type, int threads, io.lettuce.core.resource.ThreadFactoryProvider names) {
        EventExecutorGroup made = super.doCreateEventLoopGroup(type, threads, names);
        group = made;
        return made;
    }

    /** Runs a task once every loop has read what had arrived; at once if there is no loop. */
    void afterReading(Runnable task) {
        EventExecutorGroup all = group;
        if (all == null) {
            task.run();
            return;
        }
        List<EventExecutor> loops = new ArrayList<>();
        all.forEach(loops::add);
        AtomicInteger missing = new AtomicInteger(loops.size());
        for (EventExecutor loop : loops) {
            afterReading(loop, () -> {
                if (missing.decrementAndGet() == 0) {
                    task.run();
                }
            });
        }
    }

    /**
     * Runs a task after the loop has read what had arrived. A plain task would run together with the tasks that the loop is running, before it
     * reads again; a scheduled task runs after the next read.
     */
    static void afterReading(EventExecutor loop, Runnable task) {
        try {
            loop.execute(() -> loop.schedule(task, 1, TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException e) { // Lettuce has been shut down
            task.run();
        }
    }
}
