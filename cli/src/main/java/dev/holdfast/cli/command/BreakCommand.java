package dev.holdfast.cli.command;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.JsonText;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.lock.BreakOutcome;
import dev.holdfast.lock.BreakReport;
import dev.holdfast.lock.LockStatus;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code break NAME --token N --reason TEXT --yes}. */
@Command(
        name = "break",
        description = "Take a lock from its holder by force.",
        sortOptions = false,
        customSynopsis = "holdfast break NAME --token=N --reason=TEXT --yes [OPTIONS]",
        footer = {
            "",
            "The holder learns of it at its next extension, and may go on until then: the",
            "resource is safe only if it checks tokens.",
            "Ends with 0 if the lease is gone, 1 if there is none with that token, 69 if",
            "fewer nodes than a majority answered.",
        })
final class BreakCommand extends NodeQuery {

    @Parameters(paramLabel = "NAME", description = "The lock; after -- if it begins with '-'.")
    String name = "";

    @Option(
            names = "--token",
            required = true,
            paramLabel = "N",
            converter = WholeNumber.Token.class,
            description = "The holder's token as 'status' shows it, so that no later holder is hit.")
    long token;

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the log.")
    String reason = "";

    @Option(names = "--yes", description = "Do it; without this it is only said what would be done.")
    boolean sure;

    @Override
    public Integer call() throws InterruptedException {
        if (reason.isBlank()) {
            throw Failure.usage("reason is '" + Printable.line(reason, 40) + "', but a reason must be given");
        }
        return super.call();
    }

    @Override
    int ask(Holdfast holdfast) throws InterruptedException {
        return sure ? breakLease(holdfast) : announce(holdfast);
    }

    private int announce(Holdfast holdfast) throws InterruptedException {
        LockStatus status = holdfast.admin().status(name);
        if (!status.hasQuorum()) {
            return noMajority(
                    ": " + status.answered() + " of " + status.nodes().size() + " nodes answered; nothing was done",
                    status.problems());
        }
        String holder = status.holders().stream()
                .filter(held -> held.token() == token)
                .map(held -> "held by " + held.owner())
                .findFirst()
                .orElse("which no node that answered knows of");
        throw Failure.usage("would break the lease of '" + name + "' with token " + token + ", " + holder
                + "; nothing was done: add --yes to do it");
    }

    private int breakLease(Holdfast holdfast) throws InterruptedException {
        BreakReport report = holdfast.admin().breakLease(name, token, reason);
        BreakOutcome outcome = report.outcome();
        if (json) {
            Output.print(JsonText.object(object -> object.field("lock", name)
                    .field("token", token)
                    .field("outcome", outcome.name().toLowerCase(Locale.ROOT))));
        }
        return switch (outcome) {
            case BROKEN -> {
                if (!json) {
                    Output.print("broken: '" + Printable.line(name) + "', token " + token + "\n");
                }
                yield ExitCode.OK;
            }
            case NOT_FOUND -> {
                Messages.say("no lease of '" + name + "' with token " + token + " was found");
                yield ExitCode.NOT_FOUND;
            }
            case UNCONFIRMED ->
                noMajority(" of nodes released the lease of '" + name + "' with token " + token, report.problems());
        };
    }
}
