package dev.holdfast.cluster;

import com.alipay.sofa.jraft.util.SPI;
import com.alipay.sofa.jraft.util.timer.DefaultRaftTimerFactory;
import com.alipay.sofa.jraft.util.timer.DefaultTimer;
import com.alipay.sofa.jraft.util.timer.Timer;

/**
 * Timers for the engine whose threads sleep until a task is due. The threads of the engine's default timers wake up every millisecond, which costs an idle server a
 * few percent of a processor for each group. The engine finds this factory as a service, and uses it for all of its nodes in the process.
 */
@SPI(name = "holdfast", priority = 1)
public final class PeerTimers extends DefaultRaftTimerFactory {

    private static final int THREADS = 1;

    /** Creates the factory, for the engine. */
    public PeerTimers() {}

    @Override
    public Timer createTimer(String name) {
        return new DefaultTimer(THREADS, name);
    }
}
