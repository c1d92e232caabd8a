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

/**
 * One instance of the order service, in a process of its own. After its death, it is started again with a delay.
 * Thread-safe.
 */
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

    /** Returns its process, or the last one if none runs now. */
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

    /** Returns the command for a small JVM that starts quickly on a machine with few cores. */
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
            System.out.println(name + " (" + gone.pid() + ") has ended with " + gone.exitValue() + "; restarting it in "
                    + STARTED_AGAIN_AFTER.toSeconds() + " s");
            scheduler.schedule(STARTED_AGAIN_AFTER.toNanos(), () -> scheduler.execute(this::start));
        }
    }

    /** Waits until the instance answers that it is healthy. */
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
            throw new StageException(name + " has been closed and can't be started", null);
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

    /** Ends the restarts of this instance. */
    void giveUp() {
        ending = true;
    }

    /** Ends the instances gracefully, and kills those that are paused or take too long. */
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
