package dev.holdfast.torture.soak;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.redis.process.Epoch;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.RedisProcesses;
import dev.holdfast.report.MachineFacts;
import dev.holdfast.testkit.redis.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A soak: clients work for hours while servers restart one after the other, links fail, and clients are closed and
 * opened again. It fails if a promise breaks or a counter grows.
 */
public final class Soak {

    private static final Duration NOTHING_LEFT_WITHIN = Duration.ofSeconds(90);
    private static final Duration READERS_WITHIN = Duration.ofSeconds(60);
    private static final int LONGEST_REST_MILLIS = 2_000;

    private final SoakSettings settings;
    private final Watch watch = new Watch();
    private final List<Sample> samples = new ArrayList<>();
    private List<Flatness.Verdict> verdicts = List.of();

    Soak(SoakSettings settings) {
        this.settings = settings;
    }

    /**
     * Runs a soak with the arguments of {@link SoakSettings}. Exits with status 1 if a promise broke or a counter grew,
     * and 2 if the arguments are wrong.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        SoakSettings settings;
        try {
            settings = SoakSettings.of(args, new Random().nextInt(1_000_000));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.out.println(settings.command());
        List<String> violations = new Soak(settings).run();
        violations.forEach(System.out::println);
        System.out.println(
                violations.isEmpty() ? "no violation, all counters flat" : violations.size() + " violations");
        System.out.println("report: " + settings.directory().resolve("report.md"));
        System.exit(violations.isEmpty() ? 0 : 1);
    }

    /** Runs the soak, writes the report, and returns the violations. */
    List<String> run() throws IOException, InterruptedException {
        RedisOptions options = RedisOptions.defaults().appendOnly(true).config("appendfsync always");
        try (RedisProcesses processes = RedisProcesses.start(settings.nodes(), options)) {
            List<RedisProcess> servers = new ArrayList<>();
            processes.forEach(servers::add);
            List<TcpProxy> links = servers.stream().map(TcpProxy::to).toList();
            work(servers, links);
            awaitNothingLeft(servers);
            links.forEach(TcpProxy::close);
        }
        verdicts = Flatness.of(samples);
        for (Flatness.Verdict verdict : verdicts) {
            if (!verdict.isFlat()) {
                watch.violation("not flat: " + verdict.counter().text + " went from " + verdict.before() + " to "
                        + verdict.after() + ", but at most " + verdict.allowed() + " is allowed");
            }
        }
        Files.createDirectories(settings.directory());
        Files.writeString(
                settings.directory().resolve("report.md"),
                SoakReport.of(settings, MachineFacts.lines(), watch, samples, verdicts));
        return watch.violations();
    }

    private void work(List<RedisProcess> servers, List<TcpProxy> links) throws InterruptedException {
        List<String> nodes = links.stream().map(link -> link.uri().toString()).toList();
        List<SoakClient> clients = new ArrayList<>();
        List<SoakWorker> workers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        ReadWriteLock rests = new ReentrantReadWriteLock(true);
        SoakWorker.Works works = new SoakWorker.Works(settings.sealRetention());
        for (int i = 0; i < settings.clients(); i++) {
            SoakClient client = new SoakClient("soak-" + i, nodes);
            clients.add(client);
            for (int j = 0; j < settings.workers(); j++) {
                String name = "soak-" + i + "-worker-" + j;
                SoakWorker worker = new SoakWorker(
                        name, client, watch, works, rests, new Random(settings.seed() * 31 + 100L * i + j));
                workers.add(worker);
                threads.add(new Thread(worker, name));
            }
        }
        threads.forEach(Thread::start);
        strikeAndSample(servers, links, clients, rests);
        workers.forEach(SoakWorker::end);
        for (Thread thread : threads) {
            thread.join();
        }
        clients.forEach(SoakClient::close);
    }

    private void strikeAndSample(
            List<RedisProcess> servers, List<TcpProxy> links, List<SoakClient> clients, ReadWriteLock rests)
            throws InterruptedException {
        Random random = new Random(settings.seed());
        SoakFaults faults = new SoakFaults(servers, links, clients, watch, random);
        long start = System.nanoTime();
        for (int window = 1; window <= settings.windows(); window++) {
            long end = start + settings.time().toNanos() / settings.windows() * window;
            while (System.nanoTime() - end < 0) {
                faults.strike();
                Thread.sleep(Math.max(
                        0, Math.min(random.nextInt(LONGEST_REST_MILLIS), (end - System.nanoTime()) / 1_000_000)));
            }
            readTogether(clients.get(window % clients.size()));
            rests.writeLock().lock(); // no worker is in a turn
            try {
                Sample sample = Sample.read(Duration.ofNanos(System.nanoTime() - start), servers, clients);
                samples.add(sample);
                System.out.println("window " + window + " of " + settings.windows() + ", "
                        + sample.at().toSeconds() + " s: " + sample.values());
            } finally {
                rests.writeLock().unlock();
            }
        }
    }

    /**
     * Makes many readers hold one lock at once. They belong to one client, but each has a lease of its own at the
     * nodes.
     */
    private void readTogether(SoakClient client) throws InterruptedException {
        DistributedLock lock = client.get().lock("read by many").shared();
        List<CompletableFuture<Acquisition>> readers = new ArrayList<>();
        for (int i = 0; i < settings.readers(); i++) {
            readers.add(lock.tryAcquireAsync(READERS_WITHIN));
        }
        for (CompletableFuture<Acquisition> reader : readers) {
            try {
                reader.get(READERS_WITHIN.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS);
                watch.count(reader.join().isHeld() ? "readers" : "readers refused");
            } catch (TimeoutException e) {
                watch.violation(
                        "an acquisition with a limit of " + READERS_WITHIN + " was not complete after twice that");
            } catch (ExecutionException | CompletionException | HoldfastException e) {
                watch.count("readers refused");
            }
        }
        for (CompletableFuture<Acquisition> reader : readers) {
            reader.whenComplete((acquisition, failure) -> {
                if (acquisition != null) {
                    acquisition.close();
                }
            });
        }
    }

    /**
     * Waits until nothing is left. All clients are closed, so after the longest expiry, that of the seals, only the
     * epoch's key may exist.
     */
    private void awaitNothingLeft(List<RedisProcess> servers) throws InterruptedException {
        long end = System.nanoTime() + NOTHING_LEFT_WITHIN.toNanos();
        while (!left(servers, false).isEmpty() && System.nanoTime() - end < 0) {
            List<String> forEver = left(servers, true);
            if (!forEver.isEmpty()) {
                watch.violation("keys without an expiry: " + forEver);
                return;
            }
            Thread.sleep(200);
        }
        left(servers, false).forEach(key -> watch.violation("left behind: " + key));
    }

    private static List<String> left(List<RedisProcess> servers, boolean forEver) {
        return servers.stream()
                .flatMap(server -> server.keys().stream()
                        .filter(key -> !key.equals(Epoch.KEY))
                        .filter(key -> !forEver || Long.valueOf(-1).equals(server.send("PTTL", key))))
                .toList();
    }

    /** Returns the watch with its counts, after the run. */
    Watch watch() {
        return watch;
    }
}
