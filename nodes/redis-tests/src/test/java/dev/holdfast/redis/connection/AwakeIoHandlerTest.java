package dev.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.time.Trust;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.time.Ticker;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AwakeIoHandlerTest {

    private static final int LOOKED = 0;
    private static final int SLEPT = 1;

    private final ManualTiming time = new ManualTiming(1);
    private final Thread loopThread = Thread.currentThread();
    private final Loop loop = new Loop();
    private final Netty netty = new Netty();
    private final AwakeIoHandler handler =
            new AwakeIoHandler(netty, loop, time.timing().ticker());

    /** What there is to do. */
    private final class Loop implements IoHandlerContext, ThreadAwareExecutor {

        private boolean tasks;

        @Override
        public boolean canBlock() {
            return !tasks;
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return Long.MAX_VALUE;
        }

        @Override
        public long deadlineNanos() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean isExecutorThread(Thread thread) {
            return thread == loopThread;
        }

        @Override
        public void execute(Runnable command) {
            throw new UnsupportedOperationException();
        }
    }

    /** What reads and writes. */
    private static final class Netty implements IoHandler {

        private int ready;
        private int did;
        private int wakeups;
        private Runnable meanwhile = () -> {};

        @Override
        public int run(IoHandlerContext context) {
            did = context.delayNanos(0) == 0 ? LOOKED : SLEPT;
            meanwhile.run();
            return ready;
        }

        @Override
        public void wakeup() {
            wakeups++;
        }

        @Override
        public IoRegistration register(IoHandle handle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return true;
        }
    }

    private int nothingToDo() {
        netty.ready = 0;
        loop.tasks = false;
        assertThat(handler.run(loop)).isZero();
        return netty.did;
    }

    private void answers(int count) {
        netty.ready = count;
        loop.tasks = false;
        assertThat(handler.run(loop)).isEqualTo(count);
    }

    private void tasks() {
        netty.ready = 0;
        loop.tasks = true;
        handler.run(loop);
        assertThat(netty.did).isEqualTo(LOOKED);
    }

    private void wokenByAnother() {
        Thread other = new Thread(handler::wakeup);
        other.start();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void pass(long nanos) {
        time.advance(Duration.ofNanos(nanos));
    }

    /** Sleeps until it is time to try to stay awake again. */
    private void sleepUntilItTries() {
        int slept = 0;
        while (nothingToDo() == SLEPT) {
            assertThat(++slept).isLessThan(Trust.TRY_EVERY);
        }
    }

    private void trust() {
        sleepUntilItTries();
        answers(1);
        for (int i = 0; i < 20; i++) {
            assertThat(nothingToDo()).isEqualTo(LOOKED);
            answers(1);
        }
    }

    @Test
    void itSleepsUntilStayingAwakeHasPaid() {
        assertThat(nothingToDo()).isEqualTo(SLEPT);
        assertThat(nothingToDo()).isEqualTo(SLEPT);

        sleepUntilItTries();
        answers(3);
        assertThat(nothingToDo()).as("worth it").isEqualTo(LOOKED);
    }

    @Test
    void tasksAreNeverKeptWaiting() {
        tasks();
        trust();
        tasks();
    }

    @Test
    void itStaysAwakeForAMoment() {
        trust();

        assertThat(nothingToDo()).isEqualTo(LOOKED);
        pass(AwakeIoHandler.AWAKE_NANOS - 1);
        assertThat(nothingToDo()).isEqualTo(LOOKED);
        pass(1);
        assertThat(nothingToDo()).isEqualTo(SLEPT);
    }

    @Test
    void theMomentBeginsAnewWithEachTimeThatThereIsNothingToDo() {
        trust();
        for (int i = 0; i < 10; i++) {
            assertThat(nothingToDo()).isEqualTo(LOOKED);
            pass(AwakeIoHandler.AWAKE_NANOS - 1);
            assertThat(nothingToDo()).isEqualTo(LOOKED);
            tasks();
            pass(AwakeIoHandler.AWAKE_NANOS);
        }
    }

    @Test
    void whatIsInVainMoreOftenThanOneTimeInThreeIsGivenUp() {
        trust();

        int awake = 0;
        for (int i = 0; i < 20; i++) {
            if (nothingToDo() == LOOKED) {
                awake++;
                pass(AwakeIoHandler.AWAKE_NANOS);
                assertThat(nothingToDo()).isEqualTo(SLEPT);
            }
        }
        assertThat(awake).isBetween(1, 5);
    }

    @Test
    void onceInThreeInVainIsNot() {
        trust();

        for (int i = 0; i < 100; i++) {
            assertThat(nothingToDo()).isEqualTo(LOOKED);
            if (i % 3 == 0) {
                pass(AwakeIoHandler.AWAKE_NANOS);
                assertThat(nothingToDo()).isEqualTo(SLEPT);
            }
            answers(1);
        }
    }

    @Test
    void whoIsLeftAloneTriesSeldom() {
        int awake = 0;
        for (int i = 0; i < Trust.TRY_EVERY * 10; i++) {
            if (nothingToDo() == LOOKED) {
                awake++;
                pass(AwakeIoHandler.AWAKE_NANOS);
                assertThat(nothingToDo()).isEqualTo(SLEPT);
            }
        }
        assertThat(awake).isEqualTo(10);
    }

    @Test
    void aLoopThatSleepsIsWoken() {
        netty.meanwhile = () -> {
            wokenByAnother();
            wokenByAnother();
        };
        assertThat(nothingToDo()).isEqualTo(SLEPT);
        assertThat(netty.wakeups).as("once is enough").isEqualTo(1);

        assertThat(nothingToDo()).as("it is awake since, and may sleep").isEqualTo(SLEPT);
        assertThat(netty.wakeups).isEqualTo(2);
    }

    @Test
    void aLoopThatIsAwakeIsNotWokenButDoesNotSleepEither() {
        wokenByAnother();
        assertThat(netty.wakeups).isZero();

        assertThat(nothingToDo()).as("something may have come since it looked").isEqualTo(LOOKED);
        assertThat(nothingToDo()).isEqualTo(SLEPT);
    }

    @Test
    void aLoopNeedNotWakeItself() {
        handler.wakeup();
        assertThat(nothingToDo()).isEqualTo(SLEPT);
        assertThat(netty.wakeups).isZero();
    }

    /** Between a loop that goes to sleep at any moment and threads that come at any moment nothing is forgotten. */
    @Test
    @Timeout(60)
    void nothingIsForgottenBetweenAwakeAndAsleep() throws Exception {
        int threads = 4;
        int each = 20_000;
        MultiThreadIoEventLoopGroup loops =
                new MultiThreadIoEventLoopGroup(1, AwakeIoHandler.over(NioIoHandler.newFactory(), Ticker.system()));
        try {
            Thread[] all = new Thread[threads];
            CountDownLatch done = new CountDownLatch(threads);
            for (int t = 0; t < threads; t++) {
                all[t] = new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        loops.submit(() -> {})
                                .syncUninterruptibly(); // one at a time, so the loop may sleep before each
                    }
                    done.countDown();
                });
                all[t].start();
            }
            assertThat(done.await(50, TimeUnit.SECONDS)).isTrue();
        } finally {
            assertThat(loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS))
                    .as("ended")
                    .isTrue();
        }
    }
}
