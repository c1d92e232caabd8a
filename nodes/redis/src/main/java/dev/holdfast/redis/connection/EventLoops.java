package dev.holdfast.redis.connection;

import dev.holdfast.time.Ticker;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.Transports;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Lettuce's event loops, with {@link AwakeIoHandler}. Where one of Netty's native transports is on the class path, Lettuce takes that, as it is. */
final class EventLoops extends DefaultEventLoopGroupProvider {

    private volatile @Nullable EventLoopGroup group;

    EventLoops(int threads) {
        super(threads);
    }

    @Override
    protected <T extends EventLoopGroup> EventExecutorGroup doCreateEventLoopGroup(
            Class<T> type, int threads, io.lettuce.core.resource.ThreadFactoryProvider names) {
        if (type != MultiThreadIoEventLoopGroup.class || Transports.socketChannelClass() != NioSocketChannel.class) {
            return super.doCreateEventLoopGroup(type, threads, names);
        }
        EventLoopGroup made = new MultiThreadIoEventLoopGroup(
                threads,
                names.getThreadFactory("lettuce-nioEventLoop"),
                AwakeIoHandler.over(NioIoHandler.newFactory(), Ticker.system()));
        group = made;
        return made;
    }

    /** Runs a task once every loop has read what was there; at once if they are not ours. */
    void afterReading(Runnable task) {
        EventLoopGroup all = group;
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
     * Runs a task after the loop has read what was there. A task that comes while the loop runs others would run with those, before it reads
     * again; one that waits for a time is not looked at until then.
     */
    static void afterReading(EventExecutor loop, Runnable task) {
        try {
            loop.execute(() -> loop.schedule(task, 1, TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException e) { // all of Lettuce has been shut down
            task.run();
        }
    }
}
