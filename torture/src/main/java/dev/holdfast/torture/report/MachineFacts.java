package dev.holdfast.torture.report;

import dev.holdfast.testkit.redis.RedisBinary;
import java.util.List;

/** What a run ran on; nothing that names the machine. */
public final class MachineFacts {

    private MachineFacts() {}

    /** Machine, system, Java and servers, a line each. */
    public static List<String> lines(String postgresVersion) {
        return List.of(
                "machine: " + cores(),
                "system: " + property("os.name") + " " + property("os.version").replaceAll("[^0-9.].*", "") + ", "
                        + property("os.arch"),
                "Java: " + property("java.vm.name") + " " + property("java.version"),
                "servers: " + RedisBinary.find().version() + ", PostgreSQL " + postgresVersion);
    }

    /** Cores, Java and servers in one line. */
    public static String brief() {
        return cores() + ", JDK " + property("java.version") + ", "
                + RedisBinary.find().version();
    }

    private static String cores() {
        return Runtime.getRuntime().availableProcessors() + " cores";
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }
}
