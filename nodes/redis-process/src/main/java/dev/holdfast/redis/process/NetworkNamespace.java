package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network namespace for servers, joined to this machine by a veth pair. nftables at its far end drop or reject
 * packets. TCP therefore really loses and resends packets, which a proxy can't show, since it terminates every
 * connection itself. Thread-safe.
 *
 * <p>It needs Linux, root and the programs that {@link #unavailable} looks for. The namespace has no name: it exists as
 * long as one process of ours and the servers in it. All of these end with this JVM, however it ends, and the veth pair
 * and the rules end with them.
 */
public final class NetworkNamespace implements AutoCloseable {

    private static final String FAR_END = "far";
    private static final String RESET = "meta l4proto tcp reject with tcp reset";
    private static final AtomicInteger MADE = new AtomicInteger();

    /**
     * The prefix that RFC 2544 reserves for network tests, so it is never routed. It is split into subnets of four
     * addresses.
     */
    private static final String PREFIX = "198.18.";

    private static final int TRIES = 100;

    private final Process keeper;
    private final String address;
    private final Map<Direction, String> rules = new EnumMap<>(Direction.class);

    private NetworkNamespace(Process keeper, String address) {
        this.keeper = keeper;
        this.address = address;
    }

    /** Returns the reason why this machine can't create a namespace; empty if it can. The method tries to create one. */
    public static Optional<String> unavailable() {
        try (NetworkNamespace tried = create()) {
            tried.drop();
            tried.lose(50);
            tried.reject();
            return Optional.empty();
        } catch (IllegalStateException | UncheckedIOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Creates a namespace whose veth pair works.
     *
     * @throws IllegalStateException if this machine can't, with the reason
     */
    public static NetworkNamespace create() {
        String unshare = program("unshare");
        try {
            Process keeper = new ProcessBuilder(unshare, "--net", "cat")
                    .redirectErrorStream(true)
                    .start();
            try {
                return joined(keeper);
            } catch (IOException | RuntimeException e) {
                keeper.destroyForcibly();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static NetworkNamespace joined(Process keeper) throws IOException {
        Waiting.require(
                RedisConsole.DEFAULT_TIMEOUT,
                () -> "no network namespace",
                () -> !keeper.isAlive() || isApart(keeper.pid()));
        if (!keeper.isAlive()) {
            throw new IllegalStateException("no network namespace: "
                    + new String(keeper.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
        }
        String pid = Long.toString(keeper.pid());
        String cable = "hf" + keeper.pid() + "-" + MADE.incrementAndGet() % 1000;
        int subnet = freeSubnet();
        NetworkNamespace made = new NetworkNamespace(keeper, address(subnet, 2));
        run("", program("ip"), "link", "add", cable, "type", "veth", "peer", "name", FAR_END, "netns", pid);
        run("", program("ip"), "address", "add", address(subnet, 1) + "/30", "dev", cable);
        run("", program("ip"), "link", "set", cable, "up");
        made.inside("", "ip", "address", "add", made.address + "/30", "dev", FAR_END);
        made.inside("", "ip", "link", "set", FAR_END, "up");
        made.inside("", "ip", "link", "set", "lo", "up");
        return made;
    }

    private static boolean isApart(long pid) {
        try {
            return !network(Long.toString(pid)).equals(network("self"));
        } catch (IOException e) {
            return false;
        }
    }

    private static Path network(String process) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc", process, "ns", "net"));
    }

    private static int freeSubnet() throws IOException {
        String taken = run("", program("ip"), "-4", "-oneline", "address");
        return ThreadLocalRandom.current()
                .ints(TRIES, 0, 256 * 64)
                .filter(subnet -> !taken.contains(" " + address(subnet, 1) + "/"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no free subnet in " + PREFIX + "0.0/16"));
    }

    private static String address(int subnet, int host) {
        return PREFIX + subnet / 64 + "." + (subnet % 64 * 4 + host);
    }

    /** Returns the address of the servers in the namespace. */
    public String address() {
        return address;
    }

    /**
     * Drops the packets of these directions; of both directions if none is named. Open connections stay open and time
     * out.
     */
    public void drop(Direction... directions) {
        set("drop", directions);
    }

    /**
     * Drops a share of the packets of these directions at random.
     *
     * @param percent the share in percent, from 0 to 100
     */
    public void lose(int percent, Direction... directions) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("lose(" + percent + "): a share must be from 0 to 100 percent");
        }
        set("numgen random mod 100 < " + percent + " drop", directions);
    }

    /** Rejects all packets: a client that sends something to a server, or tries to connect, gets a TCP reset. */
    public void reject() {
        set(RESET, Direction.TO_SERVER);
    }

    /** Ends all faults: every packet passes again. */
    public synchronized void pass() {
        rules.clear();
        apply();
    }

    private synchronized void set(String rule, Direction... directions) {
        for (Direction direction : directions.length == 0 ? Direction.values() : directions) {
            rules.put(direction, rule);
        }
        apply();
    }

    /** Replaces the rules atomically, so no packet meets half of them. */
    private void apply() {
        StringBuilder script = new StringBuilder("flush ruleset\ntable inet holdfast {\n");
        rules.forEach((direction, rule) -> {
            String hook = direction == Direction.TO_SERVER ? "input" : "output";
            script.append(" chain ").append(hook).append(" {\n");
            script.append("  type filter hook ").append(hook).append(" priority 0\n");
            script.append("  ").append(rule).append("\n }\n");
        });
        try {
            inside(script.append("}\n").toString(), "nft", "--file", "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the words to put before a command so that it runs in the namespace, as the same process. */
    List<String> entrance() {
        return List.of(program("nsenter"), "--net=/proc/" + keeper.pid() + "/ns/net");
    }

    private void inside(String input, String program, String... args) throws IOException {
        List<String> command = new ArrayList<>(entrance());
        command.add(program(program));
        command.addAll(List.of(args));
        run(input, command.toArray(String[]::new));
    }

    private static String run(String input, String... command) throws IOException {
        Program.Said said =
                new Program(Path.of(command[0])).runWith(input, Arrays.copyOfRange(command, 1, command.length));
        if (!said.isGood()) {
            throw new IllegalStateException(String.join(" ", command) + ": " + said.text());
        }
        return said.text();
    }

    private static String program(String name) {
        return Program.find(name)
                .orElseThrow(() -> new IllegalStateException("no network namespace: there is no program " + name))
                .path()
                .toString();
    }

    /** Removes the veth pair after the servers in the namespace have ended too. Further calls have no effect. */
    @Override
    public void close() {
        keeper.destroyForcibly();
        Waiting.require(
                RedisConsole.DEFAULT_TIMEOUT, () -> "the network namespace did not end", () -> !keeper.isAlive());
    }

    @Override
    public String toString() {
        return "network of " + address;
    }
}
