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
 * A network that misbehaves on demand: clients connect to it instead of the server behind it. Thread-safe.
 *
 * <p>At first it hands everything on. Faults of traffic name the directions they are for, both if none is named; they hold for the
 * connections there are and those to come, until {@link #pass} or another fault for that direction. A close by one side is handed
 * on like its bytes: later, or never.
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

    /** In front of a server, running or not. */
    public static TcpProxy to(RedisProcess server) {
        return to(server.host(), server.port());
    }

    /** In front of whatever listens there, at a free port of the loopback. */
    public static TcpProxy to(String host, int port) {
        return new TcpProxy(new InetSocketAddress(host, port));
    }

    /** {@code redis://127.0.0.1:port} of the proxy. */
    public URI uri() {
        return URI.create("redis://127.0.0.1:" + port());
    }

    /** Returns the proxy's port. */
    public int port() {
        return door.port();
    }

    /** Ends all faults: what was held goes on, and new connections are taken. What was lost stays lost. */
    public synchronized void pass() {
        setAll(Traffic.PASS);
        ways.toClient().cutAfter(0, null);
        welcome = Welcome.CONNECT;
        openDoor();
    }

    /** Bytes are accepted and kept, until {@link #pass}. */
    public void hold(Direction... directions) {
        setAll(Traffic.HOLD, directions);
    }

    /** As {@link #hold}, but only on the connections that are open now, so that later ones overtake them. */
    public synchronized void holdOpen(Direction... directions) {
        for (Direction direction : orBoth(directions)) {
            links.forEach(link -> link.set(direction, Traffic.HOLD));
        }
    }

    /** Every byte is under way for so long, without loss of throughput. */
    public void delay(Duration delay, Direction... directions) {
        setAll(Traffic.delayed(delay), directions);
    }

    /** Each connection hands on this many bytes a second, so that what comes faster is late by more and more. */
    public void throttle(long bytesPerSecond, Direction... directions) {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException(
                    "throttle(" + bytesPerSecond + "): at least 1 byte; for none there is hold");
        }
        setAll(Traffic.throttled(bytesPerSecond), directions);
    }

    /** Bytes are accepted and thrown away. */
    public void blackHole(Direction... directions) {
        setAll(Traffic.LOSE, directions);
    }

    /** Ends the connections that are open now. */
    public void cut(Disconnect how) {
        links.forEach(link -> link.cut(how));
    }

    /** Hands this many more bytes on towards the clients, counted over all connections; cuts, once, the one that bears the last. */
    public void cutAfter(long bytes, Disconnect how) {
        if (bytes < 1) {
            throw new IllegalArgumentException("cutAfter(" + bytes + "): at least 1 byte; for none there is cut");
        }
        ways.toClient().cutAfter(bytes, how);
    }

    /** New connections are refused, until {@link #pass}; those that are open go on. */
    public synchronized void refuse() {
        door.shut();
    }

    /** New connections are accepted and never answered; those that are open go on. */
    public synchronized void beSilent() {
        welcome = Welcome.SILENCE;
        openDoor();
    }

    /** Leads new connections to another server; those that are open stay with the server before, until they are {@link #cut}. */
    public void pointTo(RedisProcess server) {
        target = new InetSocketAddress(server.host(), server.port());
    }

    /** Returns how many connections were accepted, ever. */
    public long connections() {
        return connections.get();
    }

    /** Returns how many connections are open now, to clients that are kept in silence too. */
    public int open() {
        return links.size();
    }

    /** Returns how many bytes came from one side. */
    public long accepted(Direction direction) {
        return ways.get(direction).accepted();
    }

    /** Returns how many bytes were handed on to the other side. */
    public long passed(Direction direction) {
        return ways.get(direction).passed();
    }

    /** Stops listening and resets what is open. Harmless more than once. */
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
