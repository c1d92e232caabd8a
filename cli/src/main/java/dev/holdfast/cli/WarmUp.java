package dev.holdfast.cli;

import dev.holdfast.testkit.redis.RedisProcess;

/** Does what most runs do, on a server of its own, so that the launcher can archive the classes that they need. */
public final class WarmUp {

    private WarmUp() {}

    /** Runs without arguments. */
    public static void main(String[] args) {
        try (RedisProcess server = RedisProcess.start()) {
            String node = server.uri().toString();
            Main.run("--node", node, "run", "-w", "1", "warm-up", "--", "true");
            Main.run("--node", node, "status", "warm-up");
            Main.run("--node", node, "nodes", "--json");
        }
        Main.run("--help");
        System.exit(ExitCode.OK);
    }
}
