package dev.holdfast.redis.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Starts a server and waits until it answers.
 *
 * <p>A free port can be taken between the look at it and the server's bind. The server then ends, and says why in its log: the
 * start is tried again, at another port if we chose it. Another server that answers at our port is not taken for ours, by its pid.
 */
final class ServerStart {

    private static final int PORTS_TO_TRY = 10;
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(1);
    private static final Duration SPAWN_WITHIN = Duration.ofSeconds(5);

    /** The C libraries say "Address in use" and "Address already in use". */
    private static final Pattern PORT_TAKEN = Pattern.compile("bind: Address (already )?in use");

    private static final String FILE_BUSY = "error=26,";

    private ServerStart() {}

    /** Returns the first start: chooses ports, writes the configuration, declares the server clean if that is wanted and true. */
    static ServerControl first(RedisOptions options, ServerDirectory directory, boolean detached) {
        directory.create();
        boolean clean = options.declareClean() && !directory.hasData();
        for (int i = 1; ; i++) {
            ServerSetup setup = RedisConfig.write(options, directory, detached);
            OsProcess process = launch(setup);
            if (process != null) {
                if (options.steppableClock() && !ClockShim.isLoaded(directory.root())) {
                    end(setup, process);
                    throw failed(setup, 0, "has not loaded the library that steps its clock", null);
                }
                if (clean) {
                    declareClean(setup, process);
                }
                return new ServerControl(setup, process);
            }
            if (options.port() != 0 || i == PORTS_TO_TRY) {
                throw portTaken(setup);
            }
        }
    }

    /** Returns a later start, with the same configuration at the same port, for which it waits if somebody has it for a moment. */
    static OsProcess again(ServerSetup setup) {
        AtomicReference<@Nullable OsProcess> process = new AtomicReference<>();
        Waiting.until(setup.startWithin(), () -> {
            process.set(launch(setup));
            return process.get() != null;
        });
        OsProcess started = process.get();
        if (started == null) {
            throw portTaken(setup);
        }
        return started;
    }

    private static void declareClean(ServerSetup setup, OsProcess process) {
        try {
            setup.ask(Epoch::declareClean);
        } catch (RuntimeException e) {
            end(setup, process);
            throw failed(setup, 0, "was started, but could not be declared clean", e);
        }
    }

    /** Gives the process once it answers, or {@code null} if its port is taken. */
    private static @Nullable OsProcess launch(ServerSetup setup) {
        long logBefore = setup.directory().logEnd();
        OsProcess process = spawn(setup);
        AtomicReference<@Nullable Exception> problem = new AtomicReference<>();
        AtomicBoolean answers = new AtomicBoolean();
        boolean inTime = Waiting.until(setup.startWithin(), () -> {
            answers.set(answers(setup, process, problem));
            return answers.get() || !process.isRunning();
        });
        if (answers.get()) {
            return process;
        }
        end(setup, process);
        if (PORT_TAKEN.matcher(setup.directory().logTail(logBefore)).find()) {
            return null;
        }
        String how = inTime ? "ended at its start" : "did not get ready in " + setup.startWithin();
        throw failed(setup, logBefore, how, problem.get());
    }

    private static void end(ServerSetup setup, OsProcess process) {
        process.kill();
        if (!setup.detached()) {
            LastWill.ended(process.pid());
        }
    }

    private static boolean answers(ServerSetup setup, OsProcess process, AtomicReference<@Nullable Exception> problem) {
        try (RedisConsole console = setup.connect(ANSWER_WITHIN)) {
            return "PONG".equals(console.send("PING")) && console.info().pid() == process.pid();
        } catch (IOException | RuntimeException e) {
            problem.set(e);
            return false;
        }
    }

    private static OsProcess spawn(ServerSetup setup) {
        ProcessBuilder builder = new ProcessBuilder(command(setup))
                .directory(setup.directory().data().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(setup.directory().log().toFile()));
        builder.environment().putAll(setup.environment());
        AtomicReference<@Nullable Process> process = new AtomicReference<>();
        Waiting.until(SPAWN_WITHIN, () -> {
            process.set(spawn(builder, setup));
            return process.get() != null;
        });
        Process spawned = process.get();
        if (spawned == null) {
            throw new RedisStartException(setup.binary().path() + " is being written to by somebody");
        }
        if (!setup.detached()) {
            LastWill.started(spawned.pid());
        }
        return new OsProcess(spawned.toHandle());
    }

    /** {@code null} while the executable is busy: a process forked by another thread may hold the file we just wrote for a moment. */
    private static @Nullable Process spawn(ProcessBuilder builder, ServerSetup setup) {
        try {
            return builder.start();
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains(FILE_BUSY)) {
                return null;
            }
            throw new RedisStartException(setup.binary().path() + " can't be run: " + e.getMessage(), e);
        }
    }

    /** Returns one that outlives us gets a session of its own, so that Ctrl-C or a closed terminal doesn't end it. */
    private static List<String> command(ServerSetup setup) {
        List<String> command = new ArrayList<>();
        if (setup.detached() && hasSetsid()) {
            command.add("setsid");
        }
        command.addAll(setup.entrance());
        command.add(setup.binary().path().toString());
        command.add(setup.directory().config().toString());
        return command;
    }

    private static boolean hasSetsid() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "setsid")));
    }

    private static RedisStartException portTaken(ServerSetup setup) {
        return failed(setup, 0, "found its port taken by another program", null);
    }

    private static RedisStartException failed(ServerSetup setup, long logFrom, String how, @Nullable Exception cause) {
        String last = cause == null ? "" : "\nlast problem: " + cause;
        return new RedisStartException(
                setup.binary().path() + " at port " + setup.port() + " " + how + last + "\nend of its log "
                        + setup.directory().log() + ":\n" + setup.directory().logTail(logFrom),
                cause);
    }
}
