package dev.holdfast.torture.server;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A flood of requests for WebSockets without a valid token. The server must stay flat with a heap of 96 MB, and keep
 * granting locks to a client with a token.
 */
final class AttackTrial implements Trial {

    private static final int REQUESTS_PER_SECOND = 1_500;
    private static final int REQUESTS_OF_CONNECTION = 20;
    private static final int UNAUTHORIZED = 401;

    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong resets = new AtomicLong();
    private final AtomicReference<String> wrong = new AtomicReference<>("");

    @Override
    public void run(TrialSettings settings, TrialReport report) throws IOException, InterruptedException {
        try (ServerUnderTrial server = ServerUnderTrial.start(settings.directory(), "attack", "96m", List.of())) {
            server.fillMemoryOfEndedLeases();
            long start = System.nanoTime();
            long end = start + settings.time().toNanos();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < settings.clients(); i++) {
                Random random = new Random(settings.seed() * 31 + i);
                Duration pace = Duration.ofSeconds(settings.clients()).dividedBy(REQUESTS_PER_SECOND);
                threads.add(new Thread(() -> attack(server.uri(), end, pace, random), "attacker-" + i));
            }
            AtomicLong longest = new AtomicLong();
            AtomicInteger grants = new AtomicInteger();
            threads.add(new Thread(() -> lock(server, end, longest, grants), "client"));
            for (Thread thread : threads) {
                thread.setDaemon(true);
                thread.start();
            }
            report.samplesOf(server, settings.time(), start);
            for (Thread thread : threads) {
                thread.join();
            }
            report.fact("requests of attackers", requests.get());
            report.fact("connections that the server closed", resets.get());
            report.fact("grants to the client", grants.get());
            report.fact("its slowest acquire and release together, in ms", longest.get() / 1_000_000);
            report.fact("bytes that the server logged", server.printed().length());
            if (!wrong.get().isEmpty()) {
                report.violation("an unexpected answer: " + wrong.get());
            }
        }
    }

    private void attack(URI server, long end, Duration pace, Random random) {
        long next = System.nanoTime();
        while (System.nanoTime() - end < 0) {
            String secret = random.nextBoolean() ? "" : "wrong-" + random.nextInt();
            try (Wire wire = new Wire(server, secret, 2)) {
                for (int i = random.nextInt(REQUESTS_OF_CONNECTION); i >= 0 && System.nanoTime() - end < 0; i--) {
                    next += pace.toNanos();
                    Thread.sleep(Math.max(0, (next - System.nanoTime()) / 1_000_000));
                    wire.askForUpgrade(random.nextBoolean() ? "/v1/session" : "/v1/node");
                    int status = wire.answer().status();
                    requests.incrementAndGet();
                    if (status != UNAUTHORIZED) {
                        wrong.set("an attacker got " + status);
                    }
                }
                wire.reset(); // leaves no port in TIME_WAIT
            } catch (IOException e) {
                resets.incrementAndGet();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void lock(ServerUnderTrial server, long end, AtomicLong longest, AtomicInteger grants) {
        try (Wire wire = server.connect()) {
            while (System.nanoTime() - end < 0) {
                long asked = System.nanoTime();
                ServerUnderTrial.turn(wire);
                longest.accumulateAndGet(System.nanoTime() - asked, Math::max);
                grants.incrementAndGet();
                Thread.sleep(100);
            }
        } catch (IOException e) {
            wrong.set("the client: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
