package dev.holdfast.redis;

import dev.holdfast.time.Ticker;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.Transports;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.EventExecutorGroup;

/** Lettuce's event loops, with {@link AwakeIoHandler}. Where one of Netty's native transports is on the class path, Lettuce takes that, as it is. */
final class EventLoops extends DefaultEventLoopGroupProvider {

    EventLoops(int threads) {
        super(threads);
    }

    @Override
    protected <T extends EventLoopGroup> EventExecutorGroup doCreateEventLoopGroup(
            Class<T> type, int threads, io.lettuce.core.resource.ThreadFactoryProvider names) {
        if (type != MultiThreadIoEventLoopGroup.class || Transports.socketChannelClass() != NioSocketChannel.class) {
            return super.doCreateEventLoopGroup(type, threads, names);
        }
        return new MultiThreadIoEventLoopGroup(
                threads,
                names.getThreadFactory("lettuce-nioEventLoop"),
                AwakeIoHandler.over(NioIoHandler.newFactory(), Ticker.system()));
    }
}
