package dev.holdfast.redis.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that are killed and must come back at the same one.
 *
 * <p>They lie below the ports that Linux and macOS give to outgoing connections: one of those could take the port while its server
 * is down, or a client that tries to reconnect could even be connected to itself. No port is given twice in a JVM, since who had
 * it may only be down.
 */
public final class FreePort {

    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int TRIES = 1_000;
    private static final int BACKLOG = 1024;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private FreePort() {}

    /** A port that is free now. */
    public static synchronized int pick() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (!GIVEN.contains(port) && isFree(port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new RedisStartException(
                "no free port from " + LOWEST + " to " + HIGHEST + " found in " + TRIES + " tries");
    }

    private static boolean isFree(int port) {
        try {
            listen(port).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** As servers do it: connections that ended a moment ago don't keep the port. */
    @SuppressWarnings("AddressSelection") // the host is an address, not a name
    public static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(ServerSetup.LOOPBACK, port), BACKLOG);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
