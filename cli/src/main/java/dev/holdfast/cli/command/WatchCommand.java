package dev.holdfast.cli.command;

import dev.holdfast.cli.output.EventLine;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.process.Signals;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.client.RemoteAddress;
import dev.holdfast.time.Timing;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** The command {@code watch [PREFIX]}. */
@Command(
        name = "watch",
        description = "Show the events of a lock server as they happen, one line each.",
        sortOptions = false,
        footer = {
            "",
            "The server comes from --node, such as holdfast://host:7420, or else from",
            "HOLDFAST_NODES or the config file, or else from the development cluster; or",
            "else it is the one on this machine. With several servers, watch shows the",
            "events of all; each reports those of its own clients. Pass a token as",
            "holdfast://:TOKEN@host or, better, in HOLDFAST_PASSWORD or --password-file; it",
            "needs the right 'read'.",
            "",
            "When a connection breaks, watch reconnects and first prints the events it",
            "missed. Exits with 128+n at signal n, and with 64 if the server rejects the",
            "token or the prefix."
        })
final class WatchCommand implements Callable<Integer> {

    private static final String HERE = "holdfast://localhost:" + RemoteAddress.DEFAULT_PORT;
    private static final int MOST_BEHIND = 1_000;

    @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "Prefix of the locks' names.")
    String prefix = "";

    @Option(names = "--json", description = "Print a JSON object on one line for each event.")
    boolean json;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private HoldfastCommand parent;

    /** An update from a source for the printing thread: an event, a message or a failure. */
    private record Update(
            @Nullable EventLine event,
            @Nullable String message,
            @Nullable Failure failure) {}

    @Override
    public Integer call() {
        Settings settings = parent.settings();
        List<String> named = settings.clusterNodes();
        List<RemoteAddress> servers = (named.isEmpty() ? List.of(HERE) : named)
                .stream().flatMap(node -> addresses(node).stream()).toList();
        NodeOptions options = settings.nodeOptions();
        return Signals.ending(signals -> watch(servers, options));
    }

    private static List<RemoteAddress> addresses(String node) {
        if (!node.startsWith("holdfast:") && !node.startsWith("holdfasts:")) {
            throw Failure.usage("only a lock server reports events, and this node is not one: use --node "
                    + "holdfast://host:" + RemoteAddress.DEFAULT_PORT);
        }
        try {
            return RemoteAddress.list(node);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    /** Watches the servers. One thread reads each server, and this thread prints; slow printing makes the servers wait. */
    private int watch(List<RemoteAddress> servers, NodeOptions options) throws InterruptedException {
        BlockingQueue<Update> news = new ArrayBlockingQueue<>(MOST_BEHIND);
        Timing timing = Timing.system("holdfast-watch");
        try {
            for (RemoteAddress server : servers) {
                EventSource source = new EventSource(server, options, prefix, timing, listener(news));
                timing.scheduler().start("events", source::run);
            }
            while (true) {
                show(news.take(), servers.size() > 1);
            }
        } catch (IllegalArgumentException e) { // a certificate cannot be read
            throw Failure.usage(String.valueOf(e.getMessage()));
        } finally {
            timing.scheduler().close();
        }
    }

    private void show(Update one, boolean named) {
        if (one.failure() != null) {
            throw one.failure();
        }
        if (one.message() != null) {
            Messages.say(one.message());
        }
        if (one.event() != null) {
            Output.print(json ? one.event().json() : one.event().text(named, ZoneId.systemDefault()));
        }
    }

    private static EventSource.Listener listener(BlockingQueue<Update> news) {
        return new EventSource.Listener() {
            @Override
            public void event(RemoteAddress server, String data) throws InterruptedException {
                news.put(new Update(EventLine.of(server, data), null, null));
            }

            @Override
            public void changed(String what) throws InterruptedException {
                news.put(new Update(null, what, null));
            }

            @Override
            public void refused(Failure failure) throws InterruptedException {
                news.put(new Update(null, null, failure));
            }
        };
    }
}
