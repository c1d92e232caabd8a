package dev.holdfast.benchmarks.scenario;

import dev.holdfast.benchmarks.world.ServerProcess;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Clients of a lock server that wait for held locks, each on a connection of its own. */
final class WaitingRequests {

    private static final int LOCKS = 100;
    private static final long WITHIN_NANOS = 60_000_000_000L;
    private static final Pattern WAITING = Pattern.compile("(?m)^holdfast_server_waiting ([0-9]+)\\.0$");

    private WaitingRequests() {}

    /** Returns how many bytes of the server's heap each request takes if this many of them wait. */
    static double bytesEach(ServerProcess server, int count) throws IOException, InterruptedException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int lock = 0; lock < Math.min(LOCKS, count); lock++) {
                sockets.add(ask(server.uri(), lock)); // this request gets the lock
            }
            await(server.uri(), 0);
            sockets.add(ask(server.uri(), 0));
            await(server.uri(), 1); // the server now has everything that it creates only once
            long before = server.heapBytes();
            for (int i = 0; i < count; i++) {
                sockets.add(ask(server.uri(), i % LOCKS));
            }
            await(server.uri(), 1 + count);
            return (double) (server.heapBytes() - before) / count;
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static Socket ask(URI server, int lock) throws IOException {
        String json = "{\"lock\":\"waited-for-" + lock + "\",\"ttl\":\"10m\",\"wait\":\"10m\"}";
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        socket.getOutputStream()
                .write(
                        ("POST /v1/leases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                                        + json.length() + "\r\n\r\n" + json)
                                .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void await(URI server, int waiting) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (waiting(server) != waiting) {
            if (System.nanoTime() - start > WITHIN_NANOS) {
                throw new IllegalStateException("there are not " + waiting + " requests that wait");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static int waiting(URI server) throws IOException {
        HttpURLConnection asked =
                (HttpURLConnection) server.resolve("/metrics").toURL().openConnection();
        Matcher line = WAITING.matcher(new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        return line.find() ? Integer.parseInt(line.group(1)) : -1;
    }
}
