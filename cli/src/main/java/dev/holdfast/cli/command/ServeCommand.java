package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.output.NodesReport;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Terminal;
import dev.holdfast.cli.process.Signals;
import dev.holdfast.cli.settings.ClusterOptions;
import dev.holdfast.cli.settings.ConfigFile.Setting;
import dev.holdfast.cli.settings.DurationConverter;
import dev.holdfast.cli.settings.MemberOptions;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.server.LockServer;
import dev.holdfast.server.LockServerBuilder;
import dev.holdfast.server.Readiness;
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
import picocli.CommandLine.Mixin;
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
            "With --cluster, three or five servers agree on every operation before one of",
            "them answers. Each has the same --cluster and --servers, and its own --name and",
            "--data. It listens at its address in --servers: PORT for clients (default 7420),",
            "PEERPORT for the other servers (default PORT + 100). Clients name all of them:",
            "--node holdfast://HOST,HOST,HOST. On several machines, the servers need keys for",
            "TLS between them: --peer-keys, with its password in HOLDFAST_PEER_KEYS_PASSWORD.",
            "Where tokens are required, each server also needs one for the others, with all",
            "rights for all names, as its password (HOLDFAST_PASSWORD or --password-file).",
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
    private static final String DEFAULT_HOST = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            converter = WholeNumber.Port.class,
            description = "Port to listen on (default: 7420); 0 for any free port.")
    @Nullable
    Integer port;

    @Option(names = "--host", paramLabel = "HOST", description = "Address to listen on (default: 127.0.0.1).")
    @Nullable
    String host;

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
    @Nullable
    Duration history;

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

    @Mixin
    final ClusterOptions clusterOptions = new ClusterOptions();

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private HoldfastCommand parent;

    @Override
    public Integer call() {
        requireMeaning();
        Settings settings = parent.settings();
        List<String> nodes = settings.nodes();
        Optional<MemberOptions.Part> cluster = clusterOptions.part(data, System.getenv());
        LockServerBuilder builder = builder(settings, nodes, cluster.orElse(null));
        try (Signals signals = Signals.interruptingThisThread();
                LockServer server = started(builder, https(settings))) {
            if (insecure && settings.tokens().isEmpty()) {
                Messages.say(
                        "insecure: every client that can reach " + server.uri().getHost() + " has all rights");
            }
            cluster.flatMap(MemberOptions.Part::advice).ifPresent(Messages::say);
            Output.print(
                    welcome(server, place(nodes, cluster), !settings.tokens().isEmpty()));
            serve(server, signals, cluster.isPresent() ? ReadyWords.OF_CLUSTER : ReadyWords.OF_NODES);
            stop(server, signals);
            return ExitCode.OK;
        }
    }

    private void requireMeaning() {
        if (host != null && host.isBlank()) {
            throw Failure.usage("--host is '" + host + "', but must be an address or a name of this machine;"
                    + " 0.0.0.0 is all its addresses");
        }
        if (history != null && data == null) {
            throw Failure.usage(
                    "--history has no effect without --data, which keeps the history; add --data DIR, or omit --history");
        }
    }

    private LockServerBuilder builder(Settings settings, List<String> nodes, MemberOptions.@Nullable Part cluster) {
        try {
            LockServerBuilder builder = LockServer.builder()
                    .host(
                            host != null
                                    ? host
                                    : cluster == null
                                            ? DEFAULT_HOST
                                            : cluster.own().host())
                    .port(
                            port != null
                                    ? port
                                    : cluster == null
                                            ? LockServer.DEFAULT_PORT
                                            : cluster.own().port())
                    .insecure(insecure)
                    .sessionGrace(sessionGrace)
                    .history(history != null ? history : LockServerBuilder.DEFAULT_HISTORY)
                    .limits(settings.limits())
                    .tokens(() -> parent.settings().tokens());
            if (data != null) {
                builder.data(data);
            }
            https(settings).addTo(builder);
            settings.serverFile(null, Setting.ACCESS_LOG).ifPresent(builder::accessLog);
            settings.serverFile(null, Setting.AUDIT_LOG).ifPresent(builder::auditLog);
            if (cluster != null) {
                join(cluster, builder, settings, nodes);
            }
            return nodes.isEmpty()
                    ? builder.clientOfItself(settings.builder())
                    : builder.client(settings.builder().nodes(nodes));
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    private void join(MemberOptions.Part cluster, LockServerBuilder builder, Settings settings, List<String> nodes) {
        if (!nodes.isEmpty()) {
            throw Failure.usage("a server of a cluster locks on its cluster, but other nodes are given (" + nodes.size()
                    + "): omit --node, HOLDFAST_NODES and the config's nodes");
        }
        if (!settings.tokens().isEmpty() && settings.nodeOptions().password() == null) {
            throw Failure.usage("the servers of a cluster need a token for each other: set HOLDFAST_PASSWORD or"
                    + " --password-file to the secret of a token with all rights for all names");
        }
        String scheme = https(settings).isTls() ? "holdfasts" : "holdfast";
        builder.cluster(cluster.config(), cluster.servers().uris(scheme));
    }

    private HttpsFiles https(Settings settings) {
        return new HttpsFiles(httpsCert, httpsKey, settings);
    }

    private static LockServer started(LockServerBuilder builder, HttpsFiles https) {
        try {
            return builder.start();
        } catch (IllegalArgumentException e) {
            throw Failure.usage(withOptions(https.named(String.valueOf(e.getMessage()))));
        } catch (HoldfastException e) {
            throw new Failure(ExitCode.NO_QUORUM, withOptions(String.valueOf(e.getMessage())), e);
        }
    }

    private static String withOptions(String message) {
        return message.replace("choose another port", "choose another one with --port")
                .replace("choose another host", "choose another one with --host")
                .replace("start with CREATE", "start with --create")
                .replace("be added with JOIN", "be added with --join");
    }

    /** Returns what keeps the locks. */
    private String place(List<String> nodes, Optional<MemberOptions.Part> cluster) {
        if (cluster.isPresent()) {
            MemberOptions.Part part = cluster.get();
            return "cluster " + part.config().cluster() + " as server "
                    + part.config().name() + " of " + part.servers().servers().size();
        }
        String own = data == null ? "its own node, whose locks end with it" : "its own node, persisted in " + data;
        return nodes.isEmpty() ? own : nodes.size() + (nodes.size() == 1 ? " node" : " nodes");
    }

    private static String welcome(LockServer server, String where, boolean needsToken) {
        return "Serving locks at " + server.uri() + ", on " + where + ".\n"
                + "Try it:  curl " + (needsToken ? "-H \"Authorization: Bearer $SECRET\" " : "")
                + "-H 'Content-Type: application/json' -d '{\"lock\":\"orders:42\",\"ttl\":\"30s\"}' "
                + server.uri() + "/v1/leases\n"
                + "Stop it: Ctrl-C, or kill " + ProcessHandle.current().pid() + "\n";
    }

    /** The words for whether clients can acquire locks. */
    private enum ReadyWords {
        OF_NODES {
            @Override
            String ready(NodesReport nodes) {
                return nodes.voting() + " of " + nodes.nodes().size() + " nodes vote";
            }

            @Override
            String unready(NodesReport nodes) {
                String yet = nodes.untilMajority()
                        .map(time -> " with the default ttl yet; a majority votes in " + DurationText.of(time)
                                + ", and sooner for shorter ttls")
                        .orElse(" yet");
                return nodes.voting() + " of " + nodes.nodes().size() + " nodes vote, " + nodes.majority()
                        + " are needed: no client can acquire a lock" + yet + nodes.whyNotVoting();
            }
        },
        OF_CLUSTER {
            @Override
            String ready(NodesReport nodes) {
                return "the cluster has a leader";
            }

            @Override
            String unready(NodesReport nodes) {
                return "no server of the cluster leads yet, so no client can acquire a lock" + nodes.whyNotVoting();
            }
        };

        abstract String ready(NodesReport nodes);

        abstract String unready(NodesReport nodes);
    }

    /**
     * The report at the start of a server. A node that does not answer yet, such as the server itself, has two seconds before the report names it, since its
     * first connection takes a moment. So has the server's own part in its cluster.
     */
    private static final class StartReport {

        private static final int LOOKS_FOR_ANSWERS = 3;

        private final LockServer server;
        private final ReadyWords words;
        private int looks;
        private boolean said;

        StartReport(LockServer server, ReadyWords words) {
            this.server = server;
            this.words = words;
        }

        /** Prints that the server is ready, or once why it is not, and returns whether it is. */
        boolean look() throws InterruptedException {
            Readiness readiness = server.readiness();
            NodesReport nodes = new NodesReport(readiness.nodes());
            if (readiness.isReady()) {
                String note = readiness.part().isEmpty() ? "" : "; " + readiness.part();
                Output.print("Ready: " + words.ready(nodes) + note + "\n");
                return true;
            }
            looks++;
            boolean settled = nodes.allAnswer() && !readiness.partIsMissing();
            if (!said && (settled || looks >= LOOKS_FOR_ANSWERS)) {
                said = true;
                Messages.say(
                        readiness.hasMajority()
                                ? "this server is not ready yet: " + readiness.part()
                                : words.unready(nodes));
            }
            return false;
        }
    }

    /**
     * Serves until a signal stops the server, and reports when it is ready for the first time. HUP reloads the files of a
     * daemon, but stops a server whose terminal closes.
     */
    private static void serve(LockServer server, Signals signals, ReadyWords words) {
        StartReport report = new StartReport(server, words);
        boolean looksAtHangUp = !Terminal.isOurs();
        BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
        try {
            boolean ready = report.look();
            signals.passTo(arrived::add);
            while (true) {
                String signal = ready ? arrived.take() : arrived.poll(1, TimeUnit.SECONDS);
                if (signal == null) {
                    ready = report.look();
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
            Messages.say("stopping: "
                    + (held == 1
                            ? "1 lease is still held; its holder has "
                            : held + " leases are still held; their holders have ")
                    + DurationText.of(grace)
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
