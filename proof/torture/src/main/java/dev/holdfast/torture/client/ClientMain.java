package dev.holdfast.torture.client;

import dev.holdfast.testkit.history.HistoryWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client process. It runs until its standard input says {@value #STOP}, or ends. At {@value #HALT} it stops itself
 * (SIGSTOP) in its next critical section, between the check of the lease and the write.
 */
public final class ClientMain {

    /** Makes the process end cleanly. */
    public static final String STOP = "stop";

    /** Makes the process stop itself in its next critical section. */
    public static final String HALT = "halt";

    /** Cancels {@link #HALT}, if the process has not stopped yet. */
    public static final String GO_ON = "go on";

    private ClientMain() {}

    /** Runs a client with the arguments of {@link ClientSettings}. Exits with status 1 if a worker failed. */
    public static void main(String[] args) throws IOException, InterruptedException, SQLException {
        ClientSettings settings = ClientSettings.of(args);
        AtomicBoolean stopping = new AtomicBoolean();
        AtomicBoolean failed = new AtomicBoolean();
        HaltPoint haltPoint = new HaltPoint();
        try (HistoryWriter history = HistoryWriter.appendTo(settings.history());
                Contender contender = contender(settings, new Diary(history))) {
            List<Thread> workers = new ArrayList<>();
            AtomicLong attempts = new AtomicLong();
            for (int i = 0; i < settings.workers(); i++) {
                Random random = new Random(settings.seed() * 31 + i);
                Worker worker = new Worker(settings, contender, new Diary(history), haltPoint, attempts, random);
                Thread thread = new Thread(() -> run(worker, stopping, failed), settings.name() + "-worker-" + i);
                thread.start();
                workers.add(thread);
            }
            obey(haltPoint);
            stopping.set(true);
            for (Thread worker : workers) {
                worker.join();
            }
        }
        System.exit(failed.get() ? 1 : 0);
    }

    private static Contender contender(ClientSettings settings, Diary diary) {
        return settings.kind() == ClientSettings.Kind.HOLDFAST
                ? new HoldfastContender(settings, diary)
                : new TextbookContender(settings);
    }

    private static void run(Worker worker, AtomicBoolean stopping, AtomicBoolean failed) {
        try (worker) {
            while (!stopping.get()) {
                worker.turn();
            }
        } catch (Exception | Error e) {
            e.printStackTrace();
            failed.set(true);
        }
    }

    private static void obey(HaltPoint haltPoint) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null && !line.equals(STOP); line = commands.readLine()) {
            haltPoint.request(line.equals(HALT));
        }
    }
}
