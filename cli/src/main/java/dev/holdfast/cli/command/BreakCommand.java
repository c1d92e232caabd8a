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
import dev.holdfast.server.lease.BreakNotices;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code break NAME --token N --reason TEXT --yes}. */
@Command(
        name = "break",
        description = "Break a holder's lease by force.",
        sortOptions = false,
        customSynopsis = "holdfast break NAME --token=N --reason=TEXT --yes [OPTIONS]",
        footer = {
            "",
            "The holder notices at its next extension, and may continue until then. The",
            "resource is safe only if it checks tokens.",
            "",
            "Exits with 0 if the lease is broken, 1 if there is none with that token, 69 if",
            "fewer nodes than a majority answered: it is then unknown whether it is broken.",
        })
final class BreakCommand extends NodeQuery {

    @Parameters(paramLabel = "NAME", description = "Name of the lock; put it after -- if it begins with '-'.")
    String name = "";

    @Option(
            names = "--token",
            required = true,
            paramLabel = "N",
            converter = WholeNumber.Token.class,
            description = "The holder's token as 'status' shows it. A later holder is not affected.")
    long token;

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Reason, for the log.")
    String reason = "";

    @Option(names = "--yes", description = "Break the lease. Without this flag, only print what would happen.")
    boolean sure;

    @Override
    public Integer call() throws InterruptedException {
        if (reason.isBlank()) {
            throw Failure.usage("--reason is '" + Printable.line(reason, 40) + "', but it must not be blank");
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
                    ": " + status.answered() + " of " + status.nodes().size() + " nodes answered; nothing was changed",
                    status.problems());
        }
        LockStatus.Holder holder = status.holders().stream()
                .filter(held -> held.token() == token)
                .findFirst()
                .orElse(null);
        if (holder == null) {
            printOutcome(BreakOutcome.NOT_FOUND);
            return notFound();
        }
        throw Failure.usage("would break the lease of '" + name + "' with token " + token + ", held by "
                + Printable.line(holder.name()) + "; nothing was changed: add --yes to break it");
    }

    private void printOutcome(BreakOutcome outcome) {
        if (json) {
            Output.print(JsonText.object(object -> object.field("lock", name)
                    .field("token", token)
                    .field("outcome", outcome.name().toLowerCase(Locale.ROOT))));
        }
    }

    private int notFound() {
        Messages.say("no lease of '" + name + "' with token " + token + " was found");
        return ExitCode.NOT_FOUND;
    }

    private int breakLease(Holdfast holdfast) throws InterruptedException {
        BreakReport report = holdfast.admin().breakLease(name, token, reason);
        BreakOutcome outcome = report.outcome();
        if (outcome == BreakOutcome.BROKEN) {
            BreakNotices.publish(holdfast, name, token, Printable.line(reason));
        }
        printOutcome(outcome);
        return switch (outcome) {
            case BROKEN -> {
                if (!json) {
                    Output.print("broken: '" + Printable.line(name) + "', token " + token + "\n");
                }
                yield ExitCode.OK;
            }
            case NOT_FOUND -> notFound();
            case UNCONFIRMED ->
                noMajority(
                        " confirmed: it is not known whether the lease of '" + name + "' with token " + token
                                + " is broken; see 'holdfast status', and break it again",
                        report.problems());
        };
    }
}
