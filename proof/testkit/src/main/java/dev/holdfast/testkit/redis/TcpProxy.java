package dev.holdfast.testkit.redis;

import dev.holdfast.redis.process.Direction;
import dev.holdfast.redis.process.RedisProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A faulty network, to which clients connect instead of the server behind it. Thread-safe.
 *
 * <p>At first it forwards everything. A fault names the directions that it applies to; with none named, it applies to
 * both. It affects present and future connections, until {@link #pass} or another fault in that direction. The proxy
 * treats a close by one side like that side's bytes: it forwards it at once, later, or never.
 */
public final class TcpProxy implements AutoCloseable {

    private static final int CONNECT_MILLIS = 5_000;

    private enum Welcome {
        CONNECT,
        SILENCE
    }

    private final PerDirection<ProxyDirection> ways = new PerDirection<>(new ProxyDirection(), new ProxyDirection());
    private final Set<ProxyLink> links = ConcurrentHashMap.newKeySet();
    private final AtomicLong connections = new AtomicLong();
    private final ProxyPort door;
    private volatile InetSocketAddress target;
    private Welcome welcome = Welcome.CONNECT;
    private boolean closed;

    private TcpProxy(InetSocketAddress target) {
        this.target = target;
        door = ProxyPort.open(this::welcome);
    }

    /** Starts a proxy in front of a server, which may be down. */
    public static TcpProxy to(RedisProcess server) {
        return to(server.host(), server.port());
    }

    /** Starts a proxy in front of this address, at a free port of the loopback. */
    public static TcpProxy to(String host, int port) {
        return new TcpProxy(new InetSocketAddress(host, port));
    }

    /** Returns {@code redis://127.0.0.1:port} of the proxy. */
    public URI uri() {
        return URI.create("redis://127.0.0.1:" + port());
    }

    /** Returns the proxy's port. */
    public int port() {
        return door.port();
    }

    /** Ends all faults: forwards held bytes and accepts new connections. Lost bytes stay lost. */
    public synchronized void pass() {
        setAll(Traffic.PASS);
        ways.toClient().cutAfter(0, null);
        welcome = Welcome.CONNECT;
        openDoor();
    }

    /** Accepts bytes and holds them, until {@link #pass}. */
    public void hold(Direction... directions) {
        setAll(Traffic.HOLD, directions);
    }

    /** Reads hardly any bytes, so that the sender cannot send all, until {@link #pass}. */
    public void stall(Direction... directions) {
        setAll(Traffic.STALL, directions);
    }

    /**
     * Holds bytes as {@link #hold} does, but only on the connections that are open now, so that later ones overtake
     * them.
     */
    public synchronized void holdOpen(Direction... directions) {
        for (Direction direction : orBoth(directions)) {
            links.forEach(link -> link.set(direction, Traffic.HOLD));
        }
    }

    /** Delays every byte by {@code delay}, without loss of throughput. */
    public void delay(Duration delay, Direction... directions) {
        setAll(Traffic.delayed(delay), directions);
    }

    /** Limits each connection to this many bytes a second. Bytes that arrive faster become later and later. */
    public void throttle(long bytesPerSecond, Direction... directions) {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException(
                    "throttle(" + bytesPerSecond + "): must be at least 1 byte a second; to forward none, use hold");
        }
        setAll(Traffic.throttled(bytesPerSecond), directions);
    }

    /** Accepts bytes and discards them. */
    public void blackHole(Direction... directions) {
        setAll(Traffic.LOSE, directions);
    }

    /** Ends the connections that are open now. */
    public void cut(Disconnect how) {
        links.forEach(link -> link.cut(how));
    }

    /**
     * Forwards this many more bytes to the clients, counted over all connections. Then it cuts, once, the connection
     * that carried the last of them.
     */
    public void cutAfter(long bytes, Disconnect how) {
        if (bytes < 1) {
            throw new IllegalArgumentException(
                    "cutAfter(" + bytes + "): must be at least 1 byte; to forward none, use cut");
        }
        ways.toClient().cutAfter(bytes, how);
    }

    /** Refuses new connections, until {@link #pass}. Open connections stay open. */
    public synchronized void refuse() {
        door.shut();
    }

    /** Accepts new connections and never answers them. Open connections continue. */
    public synchronized void beSilent() {
        welcome = Welcome.SILENCE;
        openDoor();
    }

    /**
     * Points new connections to another server. Open connections stay with the former server until they are
     * {@link #cut}.
     */
    public void pointTo(RedisProcess server) {
        pointTo(server.host(), server.port());
    }

    /** Points new connections to another address, as {@link #pointTo(RedisProcess)} does. */
    public void pointTo(String host, int port) {
        target = new InetSocketAddress(host, port);
    }

    /** Returns how many connections were accepted in total. */
    public long connections() {
        return connections.get();
    }

    /** Returns how many connections are open now, including those that get no answer. */
    public int open() {
        return links.size();
    }

    /** Returns how many bytes arrived from one side. */
    public long accepted(Direction direction) {
        return ways.get(direction).accepted();
    }

    /** Returns how many bytes were forwarded to the other side. */
    public long passed(Direction direction) {
        return ways.get(direction).passed();
    }

    /** Stops listening and resets the open connections. Further calls have no effect. */
    @Override
    public synchronized void close() {
        closed = true;
        door.shut();
        cut(Disconnect.RST);
    }

    private synchronized void setAll(Traffic now, Direction... directions) {
        for (Direction direction : orBoth(directions)) {
            ways.get(direction).traffic(now);
            links.forEach(link -> link.set(direction, now));
        }
    }

    private static List<Direction> orBoth(Direction... directions) {
        return List.of(directions.length == 0 ? Direction.values() : directions);
    }

    private void openDoor() {
        if (!closed) {
            door.openAgain();
        }
    }

    private void welcome(Socket client) {
        connections.incrementAndGet();
        Socket server = new Socket();
        try {
            client.setTcpNoDelay(true);
            boolean silent = isSilent();
            if (!silent) {
                server.setTcpNoDelay(true);
                server.connect(target, CONNECT_MILLIS);
            }
            add(client, server, silent);
        } catch (IOException e) {
            ProxyLink.reset(server);
            ProxyLink.reset(client);
        }
    }

    private synchronized boolean isSilent() {
        return welcome == Welcome.SILENCE;
    }

    private synchronized void add(Socket client, Socket server, boolean silent) throws IOException {
        if (closed) {
            throw new IOException("closed meanwhile");
        }
        ProxyLink link = silent
                ? ProxyLink.silent(client, links::remove)
                : ProxyLink.between(client, server, ways, links::remove);
        links.add(link);
        link.start();
    }
}
