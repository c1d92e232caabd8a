package dev.holdfast.redis.process;

import dev.holdfast.node.ConnectFailure;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The start of a server, up to its first answer.
 *
 * <p>Another program can take a free port between the check and the server's bind. The server then ends, and gives the
 * reason in its log. The start is tried again, at another port if we chose the first one. The pid reveals another
 * server that answers at our port.
 */
final class ServerStart {

    private static final int PORTS_TO_TRY = 10;
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(1);
    private static final Duration SPAWN_WITHIN = Duration.ofSeconds(5);

    /** The C libraries say "Address in use" and "Address already in use". */
    private static final Pattern PORT_TAKEN = Pattern.compile("bind: Address (already )?in use");

    private static final String FILE_BUSY = "error=26,";

    private ServerStart() {}

    /**
     * Starts a server for the first time: chooses ports, writes the configuration, and declares the server clean if the
     * options ask for it and it is true.
     */
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

    /** Starts a server again, with the same configuration and port. Waits a moment if another program has the port. */
    static OsProcess again(ServerSetup setup) {
        AtomicReference<@Nullable OsProcess> process = new AtomicReference<>();
        Waiting.until(setup.launch().within(), () -> {
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

    /** Starts the process and returns it once it answers; {@code null} if its port is taken. */
    private static @Nullable OsProcess launch(ServerSetup setup) {
        long logBefore = setup.directory().logEnd();
        OsProcess process = spawn(setup);
        AtomicReference<@Nullable Exception> problem = new AtomicReference<>();
        AtomicBoolean answers = new AtomicBoolean();
        boolean inTime = Waiting.until(setup.launch().within(), () -> {
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
        String how = inTime
                ? "ended at its start"
                : "did not get ready in " + setup.launch().within();
        throw failed(setup, logBefore, how, problem.get());
    }

    private static void end(ServerSetup setup, OsProcess process) {
        process.kill();
        if (!setup.launch().detached()) {
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
        builder.environment().putAll(setup.launch().environment());
        AtomicReference<@Nullable Process> process = new AtomicReference<>();
        Waiting.until(SPAWN_WITHIN, () -> {
            process.set(spawn(builder, setup));
            return process.get() != null;
        });
        Process spawned = process.get();
        if (spawned == null) {
            throw new RedisStartException(setup.binary().path() + " is still open for writing in another process");
        }
        if (!setup.launch().detached()) {
            LastWill.started(spawned.pid());
        }
        return new OsProcess(spawned.toHandle());
    }

    /**
     * Starts the process; {@code null} while the executable is busy. A process that another thread forks may keep the
     * file that we have just written open for a moment.
     */
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

    /**
     * Returns the command line. A server that outlives us gets a session of its own, so that Ctrl-C or a closed
     * terminal doesn't end it.
     */
    private static List<String> command(ServerSetup setup) {
        List<String> command = new ArrayList<>();
        if (setup.launch().detached()) {
            command.addAll(OsProcess.ownSession());
        }
        command.addAll(setup.entrance());
        command.add(setup.binary().path().toString());
        command.add(setup.directory().config().toString());
        return command;
    }

    private static RedisStartException portTaken(ServerSetup setup) {
        return failed(setup, 0, "found its port taken by another program", null);
    }

    private static RedisStartException failed(ServerSetup setup, long logFrom, String how, @Nullable Exception cause) {
        String last = cause == null ? "" : "\nlast problem: " + ConnectFailure.words(cause);
        return new RedisStartException(
                setup.binary().path() + " at port " + setup.listening().port() + " " + how + last + "\nend of its log "
                        + setup.directory().log() + ":\n" + setup.directory().logTail(logFrom),
                cause);
    }
}
