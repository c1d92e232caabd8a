package dev.holdfast.torture.soak;

import dev.holdfast.redis.process.Direction;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.testkit.redis.Disconnect;
import dev.holdfast.testkit.redis.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The faults of ordinary operation, one after the other: at most one node is down at a time. */
final class SoakFaults {

    /**
     * How long a close may take. A client releases its leases within a node timeout; the rest allows for a busy
     * machine.
     */
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(20);

    private static final int LONGEST_MILLIS = 1_500;

    private final List<RedisProcess> servers;
    private final List<TcpProxy> links;
    private final List<SoakClient> clients;
    private final Watch watch;
    private final Random random;
    private int nextServer;

    SoakFaults(List<RedisProcess> servers, List<TcpProxy> links, List<SoakClient> clients, Watch watch, Random random) {
        this.servers = servers;
        this.links = links;
        this.clients = clients;
        this.watch = watch;
        this.random = random;
    }

    void strike() throws InterruptedException {
        switch (random.nextInt(7)) {
            case 0 -> restart(false);
            case 1 -> restart(true);
            case 2 -> cut();
            case 3 -> hold();
            case 4 -> delay();
            default -> reopen();
        }
    }

    /** Restarts the servers in turn, as in a rolling upgrade. A server's file contains every write that the server has answered. */
    private void restart(boolean killed) throws InterruptedException {
        RedisProcess server = servers.get(nextServer++ % servers.size());
        if (killed) {
            server.kill();
        }
        server.restart();
        watch.count(killed ? "fault: server killed, restarted" : "fault: server restarted");
        Thread.sleep(
                SoakClient.TTL.toMillis()); // its quarantine, so that the next restart leaves a majority that may vote
    }

    private void cut() {
        links.get(random.nextInt(links.size())).cut(random.nextBoolean() ? Disconnect.RST : Disconnect.FIN);
        watch.count("fault: connections cut");
    }

    private void hold() throws InterruptedException {
        TcpProxy link = links.get(random.nextInt(links.size()));
        link.hold(random.nextBoolean() ? Direction.TO_SERVER : Direction.TO_CLIENT);
        Thread.sleep(random.nextInt(LONGEST_MILLIS));
        link.pass();
        watch.count("fault: link held");
    }

    private void delay() throws InterruptedException {
        TcpProxy link = links.get(random.nextInt(links.size()));
        link.delay(Duration.ofMillis(random.nextInt(1, 50)));
        Thread.sleep(random.nextInt(LONGEST_MILLIS));
        link.pass();
        watch.count("fault: link delayed");
    }

    private void reopen() {
        Duration took = clients.get(random.nextInt(clients.size())).reopen();
        watch.count("fault: client closed, another one opened");
        if (took.compareTo(CLOSED_WITHIN) > 0) {
            watch.violation("a client took " + took.toMillis() + " ms to close");
        }
    }
}
