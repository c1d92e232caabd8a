package dev.holdfast.cli.command;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.process.Child;
import dev.holdfast.cli.process.CommandPath;
import dev.holdfast.cli.process.Grace;
import dev.holdfast.cli.process.Signals;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.election.Candidacy;
import dev.holdfast.election.Election;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.util.concurrent.ExecutionException;

/** A run of {@code elect} from beginning to end: check the arguments, connect, stand for election, run the command while leading. */
final class ElectedRun {

    private final ElectCommand asked;
    private final Settings settings;
    private final Timing timing = Timing.system("holdfast-cli");

    ElectedRun(ElectCommand asked, Settings settings) {
        this.asked = asked;
        this.settings = settings.withTtl(asked.ttl);
    }

    int run() {
        settings.rehearse(this::election);
        CommandPath.require(asked.line().get(0), Child.path());
        try {
            return Signals.ending(this::connectAndStand);
        } finally {
            timing.scheduler().close();
        }
    }

    private Election election(Holdfast holdfast) {
        Election election = holdfast.election(asked.name);
        return asked.candidate == null ? election : election.candidateName(asked.candidate);
    }

    private int connectAndStand(Signals signals) throws InterruptedException {
        try (Holdfast holdfast = settings.connect()) {
            Election election = election(holdfast);
            if (asked.parent.isVerbose()) {
                Client.sayNodes(holdfast);
            }
            if (!asked.quiet) {
                Grace.warning(asked.grace, election.ttl()).ifPresent(Messages::say);
            }
            LeaderCommand command = new LeaderCommand(asked, election.ttl(), timing);
            try (Standby standby = standby(holdfast, election);
                    Candidacy candidacy = election.stand(asked.quiet ? command : standby.around(command))) {
                command.exit().whenComplete((code, failure) -> candidacy.closeAsync());
                signals.passOthersTo(command::signal);
                return await(command, rights(holdfast, candidacy));
            }
        } catch (HoldfastException e) {
            throw new Failure(ExitCode.NO_QUORUM, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Waits until the command has ended for good. If a signal arrives, it stops the command first, so that the command has ended before the next
     * leader starts.
     */
    private static int await(LeaderCommand command, Timer rights) throws InterruptedException {
        try {
            return command.exit().get();
        } catch (InterruptedException e) {
            command.stop();
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            rights.cancel();
        }
    }

    private Standby standby(Holdfast holdfast, Election election) {
        Standby standby = new Standby(holdfast, election, timing);
        if (!asked.quiet) {
            standby.begin();
        }
        return standby;
    }

    private Timer rights(Holdfast holdfast, Candidacy candidacy) {
        return Client.sayMissingRights(
                holdfast, timing, () -> !asked.quiet && candidacy.leadership().isEmpty());
    }
}
