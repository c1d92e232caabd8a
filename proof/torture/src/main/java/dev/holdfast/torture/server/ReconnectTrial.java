package dev.holdfast.torture.server;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Many clients that connect and leave for a long time. Memory, threads and descriptors of the server must stay flat. */
final class ReconnectTrial implements Trial {

    /** How long a session lasts after its client's last message. */
    static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration NOTHING_LEFT_WITHIN = Duration.ofSeconds(90);
    private static final long STACK = 128 * 1_024;

    @Override
    public void run(TrialSettings settings, TrialReport report) throws IOException, InterruptedException {
        List<String> limits =
                List.of("limit.streams = 100000", "limit.connections = 15000", "limit.connections-per-address = 15000");
        try (ServerUnderTrial server = ServerUnderTrial.start(
                settings.directory(), "reconnect", "256m", limits, "--session-grace", GRACE.toSeconds() + "s")) {
            server.fillMemoryOfEndedLeases();
            ReconnectingClient.Tally tally = new ReconnectingClient.Tally();
            long start = System.nanoTime();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < settings.clients(); i++) {
                Runnable client = new ReconnectingClient(
                        server.uri(),
                        i,
                        start + settings.time().toNanos(),
                        new Random(settings.seed() * 31 + i),
                        tally);
                Thread thread = new Thread(null, client, "client-" + i, STACK);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
            report.samplesOf(server, settings.time(), start);
            for (Thread thread : threads) {
                thread.join();
            }
            report.fact("clients", settings.clients());
            report.fact("connections", tally.connections.sum());
            report.fact("grants", tally.grants.sum());
            report.fact("refusals", tally.refusals.sum());
            report.fact("sessions that ended because their client was late", tally.late.sum());
            tally.unexpected.forEach((what, times) -> report.violation(times + " unexpected answers: " + what));
            awaitNothingLeft(server, report);
        }
    }

    private static void awaitNothingLeft(ServerUnderTrial server, TrialReport report)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + NOTHING_LEFT_WITHIN.toNanos();
        for (String gauge : List.of(
                "holdfast_server_leases",
                "holdfast_server_waiting",
                "holdfast_server_sessions",
                "holdfast_server_node_clients")) {
            while (server.metric(gauge, "") > 0 && System.nanoTime() - end < 0) {
                Thread.sleep(500);
            }
            double left = server.metric(gauge, "");
            report.fact(gauge + " when all clients are gone", (long) left);
            if (left > 0) {
                report.violation(gauge + " is still " + left);
            }
        }
    }
}
