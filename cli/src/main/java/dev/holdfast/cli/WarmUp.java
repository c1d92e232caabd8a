package dev.holdfast.cli;

/** Does what most runs do, so that the launcher can archive the classes they need. */
public final class WarmUp {

    private WarmUp() {}

    /** Runs without arguments. */
    public static void main(String[] args) {
        Main.run("--node", "memory:", "run", "--ttl", "10s", "-w", "1", "warm-up", "--", "true");
        Main.run("--node", "memory:", "status", "warm-up");
        Main.run("--node", "redis://127.0.0.1:1", "nodes");
        System.exit(0);
    }
}
