package dev.holdfast.redis.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Ports for servers that are killed and must come back at the same one.
 *
 * <p>They lie below the ports that Linux and macOS give to outgoing connections: one of those could take the port while its server
 * is down, or a client that tries to reconnect could even be connected to itself. No port is given twice in a JVM, since who had
 * it may only be down. For the same reason processes that run side by side pick from different parts of the range: each claims one, by listening
 * on its first port for as long as it lives.
 */
public final class FreePort {

    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 32_000;
    private static final int PARTS = 16;
    private static final int PORTS = (HIGHEST - LOWEST) / PARTS; // in a part
    private static final int TRIES = 1_000;
    private static final int BACKLOG = 1024;
    private static final Set<Integer> GIVEN = new HashSet<>();
    private static @Nullable ServerSocket claim; // on the first port of this process's part

    private FreePort() {}

    /** Returns a port that is free now. */
    public static synchronized int pick() {
        int first = firstOfPart();
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(first + 1, first + PORTS);
            if (!GIVEN.contains(port) && isFree(port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new RedisStartException(
                "no free port from " + first + " to " + (first + PORTS) + " found in " + TRIES + " tries");
    }

    /** With more processes than parts, some share a part. */
    private static int firstOfPart() {
        int any = ThreadLocalRandom.current().nextInt(PARTS);
        for (int i = 0; claim == null && i < PARTS; i++) {
            claim = claimed(LOWEST + (any + i) % PARTS * PORTS);
        }
        return claim == null ? LOWEST + any * PORTS : claim.getLocalPort();
    }

    private static @Nullable ServerSocket claimed(int port) {
        try {
            return listen(port);
        } catch (IOException e) {
            return null; // another process has it
        }
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
