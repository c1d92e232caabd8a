package dev.holdfast.benchmarks.work;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * The resources that this process has used so far.
 *
 * @param nanos the time
 * @param cpuNanos the processor time
 * @param bytes the memory that the live threads have allocated
 * @param compilerNanos the time of the compiler's threads
 */
record Effort(double nanos, double cpuNanos, double bytes, double compilerNanos) {

    static final Effort NONE = new Effort(0, 0, 0, 0);

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    static Effort now() {
        long bytes = Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
                .filter(allocated -> allocated > 0)
                .sum();
        return new Effort(
                System.nanoTime(), SYSTEM.getProcessCpuTime(), bytes, 1e6 * COMPILER.getTotalCompilationTime());
    }

    Effort since(Effort before) {
        return new Effort(
                nanos - before.nanos,
                cpuNanos - before.cpuNanos,
                bytes - before.bytes,
                compilerNanos - before.compilerNanos);
    }
}
