package dev.holdfast.sample.stage;

import dev.holdfast.redis.process.OsProcess;
import dev.holdfast.sample.orders.OrderApplication;
import dev.holdfast.time.Scheduler;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One instance of the order service, a process of its own, which is started again some time after it has died. Thread-safe. */
public final class Instance {

    private static final Duration STARTED_AGAIN_AFTER = Duration.ofSeconds(15);
    private static final int STOP_WITHIN_SECONDS = 10;
    private static final int READY_WITHIN_SECONDS = 90;
    private static final int LOG_LINES = 25;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final String name;
    private final int port;
    private final Path log;
    private final List<String> properties;
    private final Scheduler scheduler;
    private @Nullable Process process;
    private volatile boolean ending;

    Instance(String name, int port, Path folder, List<String> properties, Scheduler scheduler) {
        this.name = name;
        this.port = port;
        this.log = folder.resolve(name + ".log");
        this.properties = properties;
        this.scheduler = scheduler;
    }

    public String name() {
        return name;
    }

    public URI uri() {
        return URI.create("http://localhost:" + port);
    }

    /** Its process, the last one if there is none just now. */
    public synchronized ProcessHandle process() {
        if (process == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return process.toHandle();
    }

    synchronized void start() {
        if (ending) {
            return;
        }
        try {
            process = new ProcessBuilder(command())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            OsProcess.endingWithThisJvm(process.toHandle());
            process.onExit().thenAccept(this::ended);
        } catch (IOException e) {
            throw new StageException(name + " can't be started: " + e.getMessage(), e);
        }
    }

    /** Small, and quick to start on a machine with few cores. */
    private List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                OrderApplication.class.getName(),
                "--sample.instance=" + name,
                "--server.port=" + port));
        properties.forEach(property -> command.add("--" + property));
        return command;
    }

    private void ended(Process gone) {
        if (!ending) {
            System.out.println(name + " (" + gone.pid() + ") has ended with " + gone.exitValue()
                    + "; it is started again in " + STARTED_AGAIN_AFTER.toSeconds() + " s");
            scheduler.schedule(STARTED_AGAIN_AFTER.toNanos(), () -> scheduler.execute(this::start));
        }
    }

    /** Returns when it answers that it is well. */
    void awaitReady() {
        HttpRequest health = HttpRequest.newBuilder(uri().resolve("/actuator/health"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            for (int i = 0; i < READY_WITHIN_SECONDS * 10 && !ending; i++) {
                if (isOk(health)) {
                    return;
                }
                if (processOf().waitFor(100, TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new StageException(name + " does not start; the end of its log:\n" + logEnd(), null);
    }

    private synchronized Process processOf() {
        if (process == null) {
            throw new StageException(name + " is not to be started any more", null);
        }
        return process;
    }

    private static boolean isOk(HttpRequest request) throws InterruptedException {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false; // it does not listen yet
        }
    }

    private String logEnd() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(lines.size() - LOG_LINES, 0), lines.size()));
        } catch (IOException e) {
            return "(none: " + e.getMessage() + ")";
        }
    }

    /** From now on it is not started again. */
    void giveUp() {
        ending = true;
    }

    /** Lets all of them end in good order, and kills those that stand still or take too long. */
    static void close(List<Instance> instances) {
        instances.forEach(Instance::giveUp);
        instances.forEach(Instance::stop);
        instances.forEach(Instance::awaitEnd);
    }

    private synchronized void stop() {
        if (process != null) {
            boolean paused = OsProcess.endingWithThisJvm(process.toHandle()).isPaused();
            if (paused) {
                process.destroyForcibly();
            } else {
                process.destroy();
            }
        }
    }

    private synchronized void awaitEnd() {
        try {
            if (process != null && !process.waitFor(STOP_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
