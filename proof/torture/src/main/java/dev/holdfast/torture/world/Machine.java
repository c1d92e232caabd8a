package dev.holdfast.torture.world;

import dev.holdfast.redis.process.Direction;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A machine of a {@link Lan}: a server's network, whose packets nftables drop, and its disk, which can be full. Thread-safe. */
public final class Machine implements AutoCloseable {

    private static final String BALLAST = "ballast";
    private static final int BLOCK = 1 << 16;

    private final Namespace inside;
    private final String address;
    private final Path disk;
    private final Set<String> rules = new LinkedHashSet<>();

    Machine(Namespace inside, String address, String disk) {
        this.inside = inside;
        this.address = address;
        this.disk = Path.of("/proc", Long.toString(inside.pid()), "root", disk);
    }

    /** Returns its address in the network. */
    public String address() {
        return address;
    }

    /** Returns the words to put before a command so that it runs on the machine, as the same process. */
    List<String> entrance() {
        return inside.entrance();
    }

    /** Returns its disk as this machine sees it. */
    Path disk() {
        return disk;
    }

    // ---- the network

    /** Drops all packets between this machine and these addresses, in these directions. */
    public synchronized void cut(List<String> others, Direction... directions) {
        for (Direction direction : directions) {
            boolean in = direction == Direction.TO_SERVER;
            others.forEach(other -> rules.add((in ? "input ip saddr " : "output ip daddr ") + other + " drop"));
        }
        apply();
    }

    /** Ends the faults between this machine and all others. */
    public synchronized void join() {
        rules.clear();
        apply();
    }

    /** Replaces the rules atomically, so no packet meets half of them. */
    private void apply() {
        StringBuilder script = new StringBuilder("flush ruleset\ntable inet holdfast {\n");
        for (String hook : List.of("input", "output")) {
            script.append(" chain ")
                    .append(hook)
                    .append(" {\n  type filter hook ")
                    .append(hook)
                    .append(" priority 0\n");
            rules.stream()
                    .filter(rule -> rule.startsWith(hook))
                    .forEach(rule -> script.append("  ")
                            .append(rule.substring(hook.length() + 1))
                            .append('\n'));
            script.append(" }\n");
        }
        inside.run(script.append("}\n").toString(), "nft", "--file", "-");
    }

    // ---- the disk

    /** Fills the disk to its last byte. */
    public synchronized void fillDisk() {
        try (OutputStream ballast = Files.newOutputStream(disk.resolve(BALLAST))) {
            for (int size = BLOCK; size > 0; size /= 2) {
                fill(ballast, new byte[size]);
            }
        } catch (IOException e) {
            // the file system refuses even to close the file
        }
    }

    private static void fill(OutputStream ballast, byte[] block) {
        try {
            while (true) {
                ballast.write(block);
            }
        } catch (IOException e) {
            // full, for a block of this size
        }
    }

    /** Gives the space back that {@link #fillDisk} took. */
    public synchronized void emptyDisk() {
        try {
            Files.deleteIfExists(disk.resolve(BALLAST));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        inside.close();
    }
}
