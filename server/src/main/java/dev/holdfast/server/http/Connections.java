package dev.holdfast.server.http;

import dev.holdfast.server.caller.ClientAddress;
import dev.holdfast.time.Timing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.jspecify.annotations.Nullable;

/**
 * The open connections. A connection is silent while the server waits for its client. It was just opened, has sent part of a request, does not read its answer,
 * or is kept for the next request. Thread-safe.
 *
 * <p>The server closes a silent connection after the idle timeout, even if bytes move slowly. When a limit is reached, the server closes the connection that
 * has been silent longest instead of rejecting the new one. Clients that open connections and send or read nothing therefore only displace each other.
 */
public final class Connections implements Connection.Listener {

    private final Timing timing;
    private final int most;
    private final int mostOfAddress;
    private final long idleNanos;
    private final Map<EndPoint, String> open = new HashMap<>();
    private final Map<String, Address> addresses = new HashMap<>();
    private final AtomicLong crowdedOut = new AtomicLong();
    private final AtomicLong tooSlow = new AtomicLong();
    private boolean closed;

    public Connections(Timing timing, int most, int mostOfAddress, long idleNanos) {
        this.timing = timing;
        this.most = most;
        this.mostOfAddress = mostOfAddress;
        this.idleNanos = idleNanos;
    }

    /** The connections of one address. */
    private static final class Address {

        private int count;

        /** The silent connections with the start of their silence, the longest first. */
        private final Map<EndPoint, Long> silent = new LinkedHashMap<>();
    }

    public void start() {
        timing.scheduler()
                .schedule(
                        Math.min(idleNanos / 4, 1_000_000_000L),
                        () -> timing.scheduler().execute(this::look));
    }

    private void look() {
        List<EndPoint> over = tooSlow();
        if (over != null) {
            over.forEach(EndPoint::close);
            start();
        }
    }

    /** Returns the connections that are too slow; null once this is closed. */
    private synchronized @Nullable List<EndPoint> tooSlow() {
        if (closed) {
            return null;
        }
        long now = timing.ticker().nanos();
        List<EndPoint> over = new ArrayList<>();
        for (Address address : addresses.values()) {
            for (Map.Entry<EndPoint, Long> one : address.silent.entrySet()) {
                if (now - one.getValue() <= idleNanos) {
                    break;
                }
                over.add(one.getKey());
            }
        }
        over.forEach(this::markBusy); // each connection is closed only once
        tooSlow.addAndGet(over.size());
        return over;
    }

    public synchronized void close() {
        closed = true;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection) {
            return; // the web server also reports the connection inside this one
        }
        EndPoint crowded = opened(connection.getEndPoint());
        if (crowded != null) {
            crowdedOut.incrementAndGet();
            crowded.close();
        }
    }

    /** Adds a connection, and returns the one to close; null for none. */
    private synchronized @Nullable EndPoint opened(EndPoint connection) {
        if (open.containsKey(connection)) { // the connection now uses another protocol, which has its own limits
            markBusy(connection);
            return null;
        }
        String name = ClientAddress.of(connection.getRemoteSocketAddress());
        open.put(connection, name);
        Address address = addresses.computeIfAbsent(name, fresh -> new Address());
        address.count++;
        address.silent.put(connection, timing.ticker().nanos());
        Address crowded = address.count > mostOfAddress ? address : open.size() > most ? mostSilent() : null;
        if (crowded == null) {
            return null;
        }
        EndPoint longest = crowded.silent.keySet().iterator().next();
        markBusy(longest);
        return longest;
    }

    private Address mostSilent() {
        return Collections.max(addresses.values(), Comparator.comparingInt(address -> address.silent.size()));
    }

    @Override
    public void onClosed(Connection connection) {
        EndPoint gone = connection.getEndPoint();
        if (!(connection instanceof SslConnection) && !gone.isOpen()) {
            closed(gone);
        }
    }

    private synchronized void closed(EndPoint connection) {
        String name = open.remove(connection);
        Address address = name == null ? null : addresses.get(name);
        if (address != null) {
            address.silent.remove(connection);
            address.count--;
            if (address.count == 0) {
                addresses.remove(name);
            }
        }
    }

    /** Marks the connection as busy, since a whole request has arrived. */
    synchronized void markBusy(EndPoint connection) {
        Address address = addresses.get(open.getOrDefault(connection, ""));
        if (address != null) {
            address.silent.remove(connection);
        }
    }

    /** Marks the connection as silent from now on, since the answer to its request begins or ends. */
    synchronized void markSilent(EndPoint connection) {
        Address address = addresses.get(open.getOrDefault(connection, ""));
        if (address != null) {
            address.silent.remove(connection); // to the end of the order
            address.silent.put(connection, timing.ticker().nanos());
        }
    }

    /** Returns how many connections are open. */
    synchronized int count() {
        return open.size();
    }

    /** Returns how many connections were closed because of a limit. */
    long crowdedOut() {
        return crowdedOut.get();
    }

    /** Returns how many connections were closed because no whole request arrived. */
    long tooSlowOnes() {
        return tooSlow.get();
    }
}
