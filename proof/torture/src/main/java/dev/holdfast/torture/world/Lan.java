package dev.holdfast.torture.world;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** A local network of machines, to which this machine is connected too: a bridge in a namespace of its own. */
final class Lan implements AutoCloseable {

    private static final AtomicInteger MADE = new AtomicInteger();

    /** Half of the prefix that RFC 2544 reserves for network tests. Networks of single servers use the other half. */
    private static final String PREFIX = "198.19.";

    private final String network = PREFIX + ThreadLocalRandom.current().nextInt(1, 255) + ".";
    private final Namespace bridge;
    private final List<Machine> machines = new ArrayList<>();

    private Lan(Namespace bridge) {
        this.bridge = bridge;
    }

    /**
     * Creates a network without machines.
     *
     * @throws IllegalStateException if this machine does not allow it, with the reason
     */
    static Lan create() {
        Lan lan = new Lan(Namespace.create("ip link add lan type bridge && ip link set lan up"));
        try {
            String cable = "hfl" + lan.bridge.pid() + "-" + MADE.incrementAndGet() % 100;
            Shell.run(
                    "ip", "link", "add", cable, "type", "veth", "peer", "name", "host", "netns", lan.bridge.pid() + "");
            Shell.run("ip", "address", "add", lan.network + "1/24", "dev", cable);
            Shell.run("ip", "link", "set", cable, "up");
            lan.plug("host");
            return lan;
        } catch (IllegalStateException e) {
            lan.close();
            throw e;
        }
    }

    private void plug(String end) {
        bridge.run("", "ip", "link", "set", end, "master", "lan", "up");
    }

    /** Returns the address of this machine in the network. */
    String host() {
        return network + "1";
    }

    /**
     * Adds a machine.
     *
     * @param disk a folder where the machine has its disk, a file system in memory
     * @param megabytes the size of the disk
     */
    Machine add(String disk, int megabytes) {
        Namespace inside = Namespace.create(
                "mount -t tmpfs -o size=" + megabytes + "m,mode=700 disk '" + disk + "' && ip link set lo up");
        Machine machine = new Machine(inside, network + (machines.size() + 2), disk);
        machines.add(machine);
        String end = "m" + machines.size();
        bridge.run("", "ip", "link", "add", end, "type", "veth", "peer", "name", "lan", "netns", inside.pid() + "");
        plug(end);
        inside.run("", "ip", "address", "add", machine.address() + "/24", "dev", "lan");
        inside.run("", "ip", "link", "set", "lan", "up");
        return machine;
    }

    @Override
    public void close() {
        machines.forEach(Machine::close);
        bridge.close();
    }
}
