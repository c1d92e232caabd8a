package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.JsonText;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.client.RemoteAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The command {@code bootstrap --node URI ... --yes}. */
@Command(
        name = "bootstrap",
        description = "Let a new set of lock servers vote at once.",
        sortOptions = false,
        customSynopsis = "holdfast bootstrap --node=URI [--node=URI]... --yes [OPTIONS]",
        footer = {
            "",
            "A lock server with an empty --data folder may have lost its votes, so clients",
            "do not count it until it is as old as the ttl. This command states that the",
            "set is new and that nothing was lost. Run it once, right after the first",
            "start, with ALL nodes of the set.",
            "",
            "It changes nothing unless every node answers, and says that no client has ever",
            "asked it for a vote. Do not run it for a set that has lost all its folders:",
            "leases that clients still hold would be granted a second time. Wait instead.",
            "",
            "Exits with 0 if the set is bootstrapped, 1 if it is not new, 69 if a node did",
            "not answer.",
        })
final class BootstrapCommand implements Callable<Integer> {

    /** A majority of two nodes is both, and clients of one node count it at once. Fewer names are a part of a set. */
    private static final int FEWEST = 3;

    @Option(names = "--yes", description = "Bootstrap the set. Without this flag, only check it.")
    boolean sure;

    @Option(names = "--json", description = "Print a JSON object on one line.")
    boolean json;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private HoldfastCommand parent;

    @Override
    public Integer call() {
        NewSet set = new NewSet(nodes(parent.settings()));
        set.requireNew();
        if (!sure) {
            throw Failure.usage("would bootstrap the set of " + set.names().size() + " new nodes "
                    + String.join(", ", set.names())
                    + "; nothing was changed: check that these are all its nodes, and add --yes");
        }
        set.bootstrap();
        Output.print(
                json
                        ? JsonText.object(object ->
                                object.field("outcome", "bootstrapped").texts("nodes", set.names()))
                        : "bootstrapped: " + String.join(", ", set.names()) + "\n");
        return ExitCode.OK;
    }

    private static List<NewSet.Node> nodes(Settings settings) {
        NodeOptions options = settings.nodeOptions();
        List<NewSet.Node> nodes = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String uri : settings.nodes()) {
            RemoteAddress address = address(uri);
            if (!names.add(address.name())) {
                throw Failure.usage("the node " + address.name() + " is named twice");
            }
            nodes.add(new ServerInSet(api(address, options)));
        }
        if (nodes.size() < FEWEST) {
            throw Failure.usage("a set has " + FEWEST + " nodes or more, and "
                    + (nodes.isEmpty() ? "none is named" : "only " + nodes.size() + " of them are named")
                    + ": name all nodes of the set with --node");
        }
        return nodes;
    }

    private static ServerHttp api(RemoteAddress address, NodeOptions options) {
        try {
            return new ServerHttp(address, options);
        } catch (IllegalArgumentException e) { // from the certificate files
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    private static RemoteAddress address(String uri) {
        if (!uri.startsWith("holdfast:") && !uri.startsWith("holdfasts:")) {
            String scheme = uri.contains(":") ? uri.substring(0, uri.indexOf(':')) : uri;
            throw Failure.usage("only lock servers (holdfast://) can be bootstrapped, and a node begins with '"
                    + Printable.line(scheme, 40) + "'; clients count other nodes by their own rules");
        }
        try {
            List<RemoteAddress> servers = RemoteAddress.list(uri);
            if (servers.size() > 1) {
                throw Failure.usage("a URI with several servers is a strict cluster, which needs no bootstrap; repeat"
                        + " --node for each independent server");
            }
            return servers.get(0);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }
}
