package dev.holdfast.server.http;

import dev.holdfast.time.Timing;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
 * The connections that are open. One is silent while no request of it is being answered: just opened, half of a request sent, or kept for the next
 * one. Thread-safe.
 *
 * <p>Silent ones are closed after the idle timeout, whatever drips in, and before that where there are too many: not the newest is turned away, but
 * that closed which has been silent longest, so that those who open and say nothing are in their own way, and in nobody else's.
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

    /** Those of one address. */
    private static final class Address {

        private int count;

        /** Since when each that is silent is so: the longest first. */
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

    /** Null once it is closed. */
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
        over.forEach(this::markBusy); // it is closed only once
        tooSlow.addAndGet(over.size());
        return over;
    }

    public synchronized void close() {
        closed = true;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection) {
            return; // what is in it is told of too
        }
        EndPoint crowded = opened(connection.getEndPoint());
        if (crowded != null) {
            crowdedOut.incrementAndGet();
            crowded.close();
        }
    }

    /** Which one is to be closed. */
    private synchronized @Nullable EndPoint opened(EndPoint connection) {
        if (open.containsKey(connection)) { // from now on it speaks another protocol, which has limits of its own
            markBusy(connection);
            return null;
        }
        String name = name(connection);
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

    /** An address, or of IPv6 the network, since a machine may have as many addresses there as it likes. */
    private static String name(EndPoint connection) {
        if (connection.getRemoteSocketAddress() instanceof InetSocketAddress socket && socket.getAddress() != null) {
            InetAddress address = socket.getAddress();
            String text = address.getHostAddress();
            return address instanceof Inet6Address ? text.replaceFirst("^(([^:]+:){4}).*", "$1") : text;
        }
        return "";
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

    /** A whole request has come. */
    synchronized void markBusy(EndPoint connection) {
        Address address = addresses.get(open.getOrDefault(connection, ""));
        if (address != null) {
            address.silent.remove(connection);
        }
    }

    /** It has been answered. */
    synchronized void markSilent(EndPoint connection) {
        Address address = addresses.get(open.getOrDefault(connection, ""));
        if (address != null) {
            address.silent.put(connection, timing.ticker().nanos());
        }
    }

    /** How many are open. */
    synchronized int count() {
        return open.size();
    }

    /** How many were closed since there were too many. */
    long crowdedOut() {
        return crowdedOut.get();
    }

    /** How many were closed since no whole request came. */
    long tooSlowOnes() {
        return tooSlow.get();
    }
}
