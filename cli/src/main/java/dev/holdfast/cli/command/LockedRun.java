package dev.holdfast.cli.command;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.output.WaitingDisplay;
import dev.holdfast.cli.process.Child;
import dev.holdfast.cli.process.CommandPath;
import dev.holdfast.cli.process.Grace;
import dev.holdfast.cli.process.LossWatch;
import dev.holdfast.cli.process.OnLost;
import dev.holdfast.cli.process.Signals;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Refusal;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A run of a command under a lock from beginning to end: check the arguments, connect, acquire, run, release. */
final class LockedRun {

    private final RunCommand asked;
    private final Settings settings;
    private final Timing timing = Timing.system("holdfast-cli");

    LockedRun(RunCommand asked, Settings settings) {
        this.asked = asked;
        this.settings = settings.withTtl(asked.ttl);
    }

    int run() {
        settings.rehearse(this::lock);
        CommandPath.require(asked.line().get(0), Child.path());
        try {
            return Signals.ending(this::connectAndRun);
        } finally {
            timing.scheduler().close();
        }
    }

    private DistributedLock lock(Holdfast holdfast) {
        DistributedLock lock = holdfast.lock(asked.name).mode(asked.mode.mode()).label(asked.label);
        return asked.maxHold == null ? lock : lock.maxHold(asked.maxHold);
    }

    private int connectAndRun(Signals signals) throws InterruptedException {
        try (Holdfast holdfast = settings.connect()) {
            DistributedLock lock = lock(holdfast);
            if (asked.parent.isVerbose()) {
                Client.sayNodes(holdfast);
            }
            if (asked.onLost == OnLost.TERM && !asked.quiet) {
                Grace.warning(asked.grace, lock.ttl()).ifPresent(Messages::say);
            }
            Acquisition acquisition = acquire(holdfast, lock);
            if (acquisition instanceof Acquisition.Refused refused) {
                return refuse(refused.refusal());
            }
            try (Lease lease = acquisition.lease()) {
                return signals.keep() ? hold(holdfast, lease, lock.ttl(), signals) : ExitCode.SIGNAL + signals.number();
            }
        } catch (HoldfastException e) {
            throw new Failure(ExitCode.NO_QUORUM, String.valueOf(e.getMessage()), e);
        }
    }

    private Acquisition acquire(Holdfast holdfast, DistributedLock lock) throws InterruptedException {
        Duration wait =
                asked.wait.none ? Duration.ZERO : asked.wait.limit != null ? asked.wait.limit : DistributedLock.FOREVER;
        if (asked.quiet || wait.isZero()) {
            return lock.tryAcquire(wait);
        }
        Timer rights = Client.sayMissingRights(holdfast, timing, () -> true);
        try (WaitingDisplay display = WaitingDisplay.of(lock.name(), timing)) {
            return lock.onWaiting(display::update).tryAcquire(wait);
        } finally {
            rights.cancel();
        }
    }

    private int refuse(Refusal refusal) {
        Messages.say(refusal.message());
        return refusal.reason() == Refusal.Reason.NO_QUORUM ? ExitCode.NO_QUORUM : asked.conflictCode;
    }

    private int hold(Holdfast holdfast, Lease lease, Duration ttl, Signals signals) throws InterruptedException {
        try (Child child = Child.start(asked.line(), environment(lease, ttl))) {
            Duration grace = Grace.of(asked.grace, ttl);
            LossWatch watch = LossWatch.begin(lease, child, asked.onLost, grace, ttl, timing);
            signals.passTo(child::signal);
            int exitCode = child.await();
            signals.ignore();
            boolean lost = watch.finish();
            ReleaseOutcome outcome = lease.release();
            if (lost || outcome == ReleaseOutcome.EXPIRED) {
                Messages.say("lock '" + lease.name() + "' was lost while the command ran; it ended with " + exitCode);
                return ExitCode.LOST;
            }
            if (outcome == ReleaseOutcome.UNCONFIRMED) {
                sayWhyUnreleased(holdfast, lease);
            }
            return exitCode;
        }
    }

    private static void sayWhyUnreleased(Holdfast holdfast, Lease lease) throws InterruptedException {
        List<String> rights = Client.missingRights(holdfast.admin().nodes());
        if (!rights.isEmpty()) {
            Messages.say(
                    "lock '" + lease.name() + "' may stay held until its ttl ends [" + String.join("; ", rights) + "]");
        }
    }

    private static Map<String, String> environment(Lease lease, Duration ttl) {
        return Map.of(
                "HOLDFAST_LOCK", lease.name(),
                "HOLDFAST_TOKEN", Long.toString(lease.fencingToken()),
                "HOLDFAST_OWNER", lease.owner(),
                "HOLDFAST_TTL_MS", Long.toString(ttl.toMillis()));
    }
}
