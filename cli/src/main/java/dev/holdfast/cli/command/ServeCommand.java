package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.output.NodesReport;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Terminal;
import dev.holdfast.cli.process.Signals;
import dev.holdfast.cli.settings.ConfigFile.Setting;
import dev.holdfast.cli.settings.DurationConverter;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.LockServerBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The command {@code serve}. */
@Command(
        name = "serve",
        description = "Serve locks over HTTP and JSON, for programs in any language.",
        sortOptions = false,
        footer = {
            "",
            "Without nodes, the server locks on its own node. With --data, that node",
            "persists its state: after a restart it grants no lock that may still be held,",
            "and keeps seals. With nodes (--node, HOLDFAST_NODES or the config file), it",
            "serves locks on those.",
            "",
            "The server is also a node for other clients, holdfast://HOST:PORT. Five servers",
            "with all five as nodes form a quorum without any Redis.",
            "",
            "On an address that other machines can reach, it requires tokens in the config",
            "file, three lines each; '*' means all names:",
            "  token.billing.secret = (openssl rand -hex 32)",
            "  token.billing.prefixes = orders: bills:",
            "  token.billing.rights = acquire read admin",
            "",
            "Certificate, key and tokens may change while the server runs. It reads them",
            "every few seconds, and at once after SIGHUP (which stops it in a terminal). If",
            "new ones are wrong, it logs the error and keeps the old ones. Keys of the",
            "config file: https-cert, https-key, access-log, audit-log (files to append to),",
            "and limits, such as 'limit.leases = 100'.",
            "",
            "The first SIGTERM or Ctrl-C stops the server gracefully: it grants no more",
            "locks, notifies waiters, and lets holders continue until their leases end or",
            "the grace has passed. The second one stops it at once."
        })
final class ServeCommand implements Callable<Integer> {

    private static final String HANG_UP = "HUP";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            converter = WholeNumber.Port.class,
            description = "Port to listen on (default: 7420); 0 for any free port.")
    int port = LockServer.DEFAULT_PORT;

    @Option(names = "--host", paramLabel = "HOST", description = "Address to listen on (default: 127.0.0.1).")
    String host = "127.0.0.1";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Directory in which the server's own node persists its state (default: none).")
    @Nullable
    Path data;

    @Option(
            names = "--history",
            paramLabel = "DUR",
            converter = DurationConverter.class,
            description = "How long --data keeps the history of locks (default: 1d); 0s for none.")
    Duration history = LockServerBuilder.DEFAULT_HISTORY;

    @Option(
            names = "--https-cert",
            paramLabel = "PEM",
            description = "Serve HTTPS with this certificate, followed by its issuers' certificates.")
    @Nullable
    Path httpsCert;

    @Option(names = "--https-key", paramLabel = "PEM", description = "Key of the certificate, PKCS#8, unencrypted.")
    @Nullable
    Path httpsKey;

    @Option(
            names = "--session-grace",
            paramLabel = "DUR",
            converter = DurationConverter.class,
            description = "How long a session lasts after its client's last message (default: 10s).")
    Duration sessionGrace = LockServerBuilder.DEFAULT_SESSION_GRACE;

    @Option(names = "--insecure", description = "Require no token, even from other machines.")
    boolean insecure;

    @Option(
            names = "--grace",
            paramLabel = "DUR",
            converter = DurationConverter.class,
            description = "Time for holders when the server stops (default: 30s).")
    Duration grace = LockOptions.defaults().ttl();

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private HoldfastCommand parent;

    @Override
    public Integer call() {
        Settings settings = parent.settings();
        List<String> nodes = settings.nodes();
        LockServerBuilder builder = builder(settings, nodes);
        try (Signals signals = Signals.interruptingThisThread();
                LockServer server = started(builder)) {
            if (insecure && settings.tokens().isEmpty()) {
                Messages.say("insecure: every client that can reach " + host + " has all rights");
            }
            Output.print(welcome(server, nodes, !settings.tokens().isEmpty()));
            serve(server, signals, reportNodes(server));
            stop(server, signals);
            return ExitCode.OK;
        }
    }

    private LockServerBuilder builder(Settings settings, List<String> nodes) {
        try {
            LockServerBuilder builder = LockServer.builder()
                    .host(host)
                    .port(port)
                    .insecure(insecure)
                    .sessionGrace(sessionGrace)
                    .history(history)
                    .limits(settings.limits())
                    .tokens(() -> parent.settings().tokens());
            if (data != null) {
                builder.data(data);
            }
            addTls(builder, settings);
            settings.serverFile(null, Setting.ACCESS_LOG).ifPresent(builder::accessLog);
            settings.serverFile(null, Setting.AUDIT_LOG).ifPresent(builder::auditLog);
            return nodes.isEmpty()
                    ? builder.clientOfItself(settings.builder())
                    : builder.client(settings.builder().nodes(nodes));
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    private void addTls(LockServerBuilder builder, Settings settings) {
        Optional<Path> certificate = settings.serverFile(httpsCert, Setting.HTTPS_CERT);
        Optional<Path> key = settings.serverFile(httpsKey, Setting.HTTPS_KEY);
        if (certificate.isPresent() != key.isPresent()) {
            throw Failure.usage("--https-cert and --https-key belong together, but only one of them is set");
        }
        if (certificate.isPresent() && key.isPresent()) {
            builder.tls(certificate.get(), key.get());
        }
    }

    private static LockServer started(LockServerBuilder builder) {
        try {
            return builder.start();
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        } catch (HoldfastException e) {
            throw new Failure(ExitCode.NO_QUORUM, String.valueOf(e.getMessage()), e);
        }
    }

    private String welcome(LockServer server, List<String> nodes, boolean needsToken) {
        String own = data == null ? "its own node, whose locks end with it" : "its own node, persisted in " + data;
        String where = nodes.isEmpty() ? own : nodes.size() + (nodes.size() == 1 ? " node" : " nodes");
        return "Serving locks at " + server.uri() + ", on " + where + ".\n"
                + "Try it:  curl " + (needsToken ? "-H \"Authorization: Bearer $SECRET\" " : "")
                + "-H 'Content-Type: application/json' -d '{\"lock\":\"orders:42\",\"ttl\":\"30s\"}' "
                + server.uri() + "/v1/leases\n"
                + "Stop it: Ctrl-C, or kill " + ProcessHandle.current().pid() + "\n";
    }

    /** Prints whether a majority of the nodes votes, or why none does, and returns whether one does. */
    private static boolean reportNodes(LockServer server) {
        try {
            NodesReport nodes = new NodesReport(server.nodes());
            if (printReady(nodes)) {
                return true;
            }
            String ready = nodes.untilMajority()
                    .map(time -> "; a majority votes in " + DurationText.of(time))
                    .orElse("");
            Messages.say(nodes.voting() + " of " + nodes.nodes().size() + " nodes vote, " + nodes.majority()
                    + " are needed: no client can acquire a lock yet" + ready + nodes.whyNotVoting());
        } catch (InterruptedException signal) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private static boolean printReady(NodesReport nodes) {
        if (nodes.hasMajority()) {
            Output.print("Ready: " + nodes.voting() + " of " + nodes.nodes().size() + " nodes vote\n");
        }
        return nodes.hasMajority();
    }

    /**
     * Serves until a signal stops the server, and reports when a majority of the nodes votes for the first time. HUP reloads the files of a
     * daemon, but stops a server whose terminal closes.
     */
    private static void serve(LockServer server, Signals signals, boolean readyAtStart) {
        boolean looksAtHangUp = !Terminal.isOurs();
        BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
        try {
            signals.passTo(arrived::add);
            boolean ready = readyAtStart;
            while (true) {
                String signal = ready ? arrived.take() : arrived.poll(1, TimeUnit.SECONDS);
                if (signal == null) {
                    ready = printReady(new NodesReport(server.nodes()));
                } else if (signal.equals(HANG_UP) && looksAtHangUp) {
                    server.reload();
                } else {
                    return;
                }
            }
        } catch (InterruptedException signal) {
            // The signal arrived before signals were passed on.
        }
    }

    private void stop(LockServer server, Signals signals) {
        Thread stopping = Thread.currentThread();
        signals.passTo(signal -> {
            if (!signal.equals(HANG_UP)) {
                stopping.interrupt();
            }
        });
        int held = server.leases();
        if (held > 0) {
            Messages.say("stopping: " + held + " leases are still held; their holders have " + DurationText.of(grace)
                    + "; Ctrl-C again stops at once");
        }
        try {
            if (!server.stop(grace)) {
                Messages.say("stopped; leases that were still held are not released, and last until their ttl ends"
                        + " if nodes keep them");
            }
        } catch (InterruptedException signal) {
            Messages.say("stopped at once");
        }
    }
}
