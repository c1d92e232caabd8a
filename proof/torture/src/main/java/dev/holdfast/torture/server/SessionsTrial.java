package dev.holdfast.torture.server;

import dev.holdfast.torture.soak.Sample;
import dev.holdfast.torture.soak.Sample.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Many idle sessions at one server, each over a WebSocket of its own. The trial reports the memory of a session, and
 * whether the server still grants locks quickly. Needs as many file descriptors as sessions, in this process and in the
 * server's.
 */
final class SessionsTrial implements Trial {

    private static final int SESSIONS_OF_ADDRESS = 20_000;
    private static final int LOCKS = 200;
    private static final long SLOWEST_GRANT_MILLIS = 1_000;

    @Override
    public void run(TrialSettings settings, TrialReport report) throws IOException, InterruptedException {
        int most = settings.clients() + 1_000;
        List<String> limits = List.of(
                "limit.connections = " + most,
                "limit.connections-per-address = " + most,
                "limit.sessions = " + most,
                "limit.requests-per-second = 100000");
        try (ServerUnderTrial server =
                ServerUnderTrial.start(settings.directory(), "sessions", "2g", limits, "--session-grace", "10m")) {
            lockOver(server.connect(), "warm-up", report);
            Sample before = server.sample(Duration.ZERO);
            report.fact("without sessions", before.values());
            List<Wire> sessions = new ArrayList<>();
            try {
                long start = System.nanoTime();
                for (int i = 0; i < settings.clients(); i++) {
                    sessions.add(session(server, 2 + i / SESSIONS_OF_ADDRESS));
                }
                report.fact("seconds to open " + sessions.size() + " sessions", (System.nanoTime() - start) / 1e9);
                Thread.sleep(settings.time().toMillis());
                report.fact("sessions that the server counts", (long) server.metric("holdfast_server_sessions", ""));
                Sample with = server.sample(Duration.ofNanos(System.nanoTime() - start));
                report.fact("with sessions", with.values());
                for (Counter counter : List.of(Counter.LOCK_SERVER_HEAP_KB, Counter.LOCK_SERVER_KB)) {
                    long more = with.values().getOrDefault(counter, 0L)
                            - before.values().getOrDefault(counter, 0L);
                    report.fact("bytes of a session, " + counter.text, more * 1_024 / sessions.size());
                }
                lockOver(sessions.get(sessions.size() / 2), "with all sessions", report);
            } finally {
                for (Wire session : sessions) {
                    session.reset();
                }
            }
        }
    }

    private static Wire session(ServerUnderTrial server, int from) throws IOException {
        Wire wire = new Wire(server.uri(), ServerUnderTrial.SECRET, from);
        hello(wire);
        return wire;
    }

    private static void hello(Wire wire) throws IOException {
        int status = wire.upgrade("/v1/session");
        if (status != 101) {
            throw new IOException("a session was refused with " + status);
        }
        wire.send("{\"id\":1,\"op\":\"hello\"}");
        wire.receive("\"session\"");
    }

    private static void lockOver(Wire wire, String when, TrialReport report) throws IOException {
        if (when.equals("warm-up")) {
            hello(wire);
        }
        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            long asked = System.nanoTime();
            int id = 2 * i + 2;
            wire.send("{\"id\":" + id + ",\"op\":\"acquire\",\"lock\":\"idle:" + i + "\",\"ttl\":\"10s\"}");
            String granted = wire.receive("\"id\":" + id + ",");
            millis.add((System.nanoTime() - asked) / 1_000);
            wire.send("{\"id\":" + (id + 1) + ",\"op\":\"release\",\"lease\":\"" + ReconnectingClient.lease(granted)
                    + "\"}");
            wire.receive("\"id\":" + (id + 1) + ",");
        }
        millis.sort(null);
        report.fact("microseconds of an acquire, " + when + ", median", millis.get(LOCKS / 2));
        report.fact("microseconds of an acquire, " + when + ", slowest of " + LOCKS, millis.get(LOCKS - 1));
        if (millis.get(LOCKS / 2) > SLOWEST_GRANT_MILLIS * 1_000) {
            report.violation("an acquire " + when + " took longer than " + SLOWEST_GRANT_MILLIS + " ms");
        }
    }
}
