package dev.holdfast.report;

import dev.holdfast.redis.process.RedisBinary;
import java.util.ArrayList;
import java.util.List;

/** The facts about the machine of a run, without anything that identifies the machine. */
public final class MachineFacts {

    private MachineFacts() {}

    /**
     * Returns the machine, the system, Java and the servers, a line each.
     *
     * @param moreServers the servers other than Redis
     */
    public static List<String> lines(String... moreServers) {
        return List.of(
                "machine: " + cores(),
                "system: " + property("os.name") + " " + property("os.version").replaceAll("[^0-9.].*", "") + ", "
                        + property("os.arch"),
                "Java: " + property("java.vm.name") + " " + property("java.version"),
                "servers: " + String.join(", ", servers(moreServers)));
    }

    /** Returns cores, Java and servers in one line. */
    public static String brief() {
        return cores() + ", JDK " + property("java.version") + ", "
                + RedisBinary.find().version();
    }

    private static List<String> servers(String... more) {
        List<String> servers = new ArrayList<>(List.of(RedisBinary.find().version()));
        servers.addAll(List.of(more));
        return servers;
    }

    private static String cores() {
        return Runtime.getRuntime().availableProcessors() + " cores";
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }
}
