package dev.holdfast.cli.command;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.JsonText;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.lock.LockListing;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code list [PREFIX]}. */
@Command(
        name = "list",
        description = "List the locks that are held, waited for or sealed on any node.",
        sortOptions = false,
        footer = {
            "",
            "Exits with 0, or with 69 if fewer nodes than a majority list their locks, for",
            "example because the user lacks the right to SCAN. Locks may then be missing."
        })
final class ListCommand extends NodeQuery {

    @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "Prefix of the locks' names.")
    String prefix = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            converter = WholeNumber.ListLimit.class,
            description = "Maximum number of locks (default: 1000).")
    int limit = 1000;

    @Override
    int ask(Holdfast holdfast) throws InterruptedException {
        LockListing listing = holdfast.admin().list(prefix, limit);
        List<String> locks = listing.names();
        boolean majority = listing.hasQuorum();
        Output.print(json ? json(listing) : text(locks));
        if (!majority) {
            return noMajority(
                    ": " + listing.answered() + " of " + listing.nodes()
                            + " nodes listed their locks, so locks may be missing",
                    listing.problems());
        }
        listing.problems().forEach(problem -> Messages.say("missing from the list: " + problem));
        if (locks.size() == limit) {
            Messages.say("this list has the first " + limit + " locks; there may be more (--limit)");
        }
        return ExitCode.OK;
    }

    private static String text(List<String> locks) {
        StringBuilder text = new StringBuilder();
        locks.forEach(lock -> text.append(Printable.line(lock)).append('\n'));
        return text.toString();
    }

    /** Returns the listing as JSON. It is complete if every node has listed its locks and the limit did not cut any off. */
    private String json(LockListing listing) {
        boolean complete =
                listing.answered() == listing.nodes() && listing.names().size() < limit;
        return JsonText.object(object -> object.field("prefix", prefix)
                .field("hasMajority", listing.hasQuorum())
                .field("complete", complete)
                .field("answered", (long) listing.answered())
                .field("nodes", (long) listing.nodes())
                .texts("problems", listing.problems())
                .texts("locks", listing.names()));
    }
}
