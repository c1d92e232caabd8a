package dev.holdfast.redis.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Ports for servers that are killed and must come back at the same port.
 *
 * <p>The ports are below the range that Linux and macOS use for outgoing connections. An outgoing connection could take
 * the port of a server that is down; a client that tries to reconnect could even be connected to itself.
 *
 * <p>A JVM never picks a port twice, since the server that had it may only be down. For the same reason, concurrent
 * processes pick from different parts of the range. Each claims a part by listening on its first port for as long as
 * the process lives.
 */
public final class FreePort {

    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 32_000;
    private static final int PARTS = 16;
    private static final int PORTS = (HIGHEST - LOWEST) / PARTS; // in each part
    private static final int TRIES = 1_000;
    private static final int BACKLOG = 1024;
    private static final Set<Integer> GIVEN = new HashSet<>();
    private static @Nullable ServerSocket claim; // on the first port of this process's part

    private FreePort() {}

    /** Returns a port that is free now and that this JVM has not picked before. */
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

    /**
     * Claims a part of the range and returns its first port. If there are more processes than parts, some share a part.
     */
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
            return null; // another process has claimed it
        }
    }

    /** Returns whether a server of this machine could listen at this port now. */
    public static boolean isFree(int port) {
        try {
            listen(port).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Listens on the port as servers do: connections that ended a moment ago don't block it. */
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
