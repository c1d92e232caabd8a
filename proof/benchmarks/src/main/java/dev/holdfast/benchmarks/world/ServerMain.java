package dev.holdfast.benchmarks.world;

import dev.holdfast.server.Limits;
import dev.holdfast.server.LockServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A lock server as a process. It prints its address, answers each line of its standard input, and ends when its input ends.
 */
public final class ServerMain {

    /** The questions, each of which has a number as its answer. */
    enum Question {
        /** The bytes in its heap after a collection. */
        HEAP,
        /** The time of its compiler's threads so far, in milliseconds. */
        COMPILER;

        private long answer() {
            return switch (this) {
                case HEAP -> usedHeap();
                case COMPILER -> ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
            };
        }
    }

    private static final int NO_LIMIT = 1_000_000;

    /** How long the server may be idle while the other sides take their turns. */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(10);

    private ServerMain() {}

    /** Runs a lock server. The arguments are the addresses of its nodes. */
    public static void main(String[] args) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Limits limits = Limits.defaults().withRequestsPerSecond(NO_LIMIT);
        try (LockServer server = LockServer.builder()
                .port(0)
                .limits(limits)
                .sessionGrace(LONGEST_SILENCE)
                .idleTimeout(LONGEST_SILENCE)
                .nodes(List.of(args))
                .start()) {
            System.out.println(server.uri());
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                System.out.println(Question.valueOf(line).answer());
            }
        }
        System.exit(0);
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
