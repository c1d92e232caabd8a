package dev.holdfast.redis.connection;

import dev.holdfast.internal.time.Trust;
import dev.holdfast.time.Ticker;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an event loop that has nothing to do awake for a moment, and lets others run meanwhile, as long as this is worth it: where answers and requests come
 * within microseconds, most of the time would go into waking the loop (docs/decisions/0021).
 *
 * <p>It is worth it as long as two of three times the moment was long enough ({@link Trust}). Whoever gives the loop something to do wakes it only if it sleeps. All is
 * done by the loop's thread, but for {@link #wakeup}, which is for any.
 */
final class AwakeIoHandler implements IoHandler {

    /** How long it stays awake. */
    static final long AWAKE_NANOS = 50_000;

    private enum State {
        AWAKE,
        /** About to wait for something to read or write, or at it. */
        ASLEEP,
        /** Must not wait: something to do has come since it last meant to. */
        WOKEN
    }

    private final IoHandler handler;
    private final ThreadAwareExecutor loop;
    private final Ticker ticker;
    private final Trust trust = new Trust();
    private final AtomicReference<State> state = new AtomicReference<>(State.AWAKE);
    private boolean waiting;
    private long waitingSince;
    private @Nullable Look look;

    AwakeIoHandler(IoHandler handler, ThreadAwareExecutor loop, Ticker ticker) {
        this.handler = handler;
        this.loop = loop;
        this.ticker = ticker;
    }

    /** The same for each of an event loop group's loops. */
    static IoHandlerFactory over(IoHandlerFactory handlers, Ticker ticker) {
        return loop -> new AwakeIoHandler(handlers.newHandler(loop), loop, ticker);
    }

    @Override
    public void initialize() {
        handler.initialize();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on whether and when another thread runs
    public int run(IoHandlerContext context) {
        if (!context.canBlock()) {
            busy();
            return look(context);
        }
        if (!waiting && !trust.isWorthIt()) {
            return sleep(context);
        }
        int handled = look(context);
        if (handled > 0) {
            busy();
            return handled;
        }
        if (!waiting) {
            waiting = true;
            waitingSince = ticker.nanos();
        } else if (ticker.nanos() - waitingSince >= AWAKE_NANOS) {
            waiting = false;
            trust.failed();
            return sleep(context);
        }
        Thread.yield();
        return 0;
    }

    private void busy() {
        if (waiting) {
            waiting = false;
            trust.paid();
        }
    }

    private int look(IoHandlerContext context) {
        Look look = this.look;
        if (look == null || look.context != context) {
            look = new Look(context);
            this.look = look;
        }
        return handler.run(look);
    }

    private int sleep(IoHandlerContext context) {
        if (!state.compareAndSet(State.AWAKE, State.ASLEEP)) {
            state.set(State.AWAKE);
            return look(context);
        }
        try {
            return handler.run(context);
        } finally {
            state.set(State.AWAKE);
        }
    }

    @Override
    public void wakeup() {
        if (state.get() != State.WOKEN
                && !loop.isExecutorThread(Thread.currentThread())
                && state.getAndSet(State.WOKEN) == State.ASLEEP) {
            handler.wakeup();
        }
    }

    @Override
    public void prepareToDestroy() {
        handler.prepareToDestroy();
    }

    @Override
    public void destroy() {
        handler.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return handler.register(handle);
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
        return handler.isCompatible(type);
    }

    /**
     * The loop as one that has a deadline now, so nothing is waited for. As one that has tasks it would not be waited for either, but then Netty's handler would wake itself
     * each time, by a system call or two, as long as anybody had woken it before.
     */
    private record Look(IoHandlerContext context) implements IoHandlerContext {

        @Override
        public boolean canBlock() {
            return true;
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return 0;
        }

        @Override
        public long deadlineNanos() {
            return context.deadlineNanos();
        }

        @Override
        public void reportActiveIoTime(long activeNanos) {
            context.reportActiveIoTime(activeNanos);
        }

        @Override
        public boolean shouldReportActiveIoTime() {
            return context.shouldReportActiveIoTime();
        }
    }
}
