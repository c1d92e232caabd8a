package dev.holdfast.cli.command;

import dev.holdfast.cli.output.Messages;
import dev.holdfast.cli.process.Child;
import dev.holdfast.cli.process.Grace;
import dev.holdfast.cli.process.LossWatch;
import dev.holdfast.cli.process.OnLost;
import dev.holdfast.election.Candidate;
import dev.holdfast.election.Leadership;
import dev.holdfast.internal.time.DurationText;
import dev.holdfast.time.Moment;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs while its candidate leads, and is restarted according to the restart policy. Thread-safe. The leader's thread starts the
 * command and waits for it.
 */
final class LeaderCommand implements Candidate {

    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final ElectCommand asked;
    private final Duration ttl;
    private final Duration grace;
    private final Timing timing;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    // under this object's monitor
    private @Nullable Run running;
    private CompletableFuture<Void> gone = CompletableFuture.completedFuture(null);
    private boolean stopped;

    /** One run of the command, and the watch that ends it. */
    private record Run(Child child, LossWatch watch) {}

    LeaderCommand(ElectCommand asked, Duration ttl, Timing timing) {
        this.asked = asked;
        this.ttl = ttl;
        this.grace = Grace.of(asked.grace, ttl);
        this.timing = timing;
    }

    /** Returns a future of the exit code with which the command ended for good; it fails if the command could not be run. */
    CompletableFuture<Integer> exit() {
        return exit;
    }

    // ---- leading

    @Override
    public void onElected(Leadership leadership) throws InterruptedException {
        tell(leadership, "leads");
        try {
            lead(leadership);
        } finally {
            tell(leadership, "no longer leads");
        }
    }

    private void lead(Leadership leadership) throws InterruptedException {
        Duration pause = SHORTEST_PAUSE;
        while (true) {
            Moment begun = timing.now();
            Integer code = runOnce(leadership);
            if (code == null) {
                return;
            }
            if (!asked.restart.after(code)) {
                exit.complete(code); // closes the candidacy, and so steps down
                return;
            }
            boolean ranWell = begun.nanosUntil(timing.now()) > LONGEST_PAUSE.toNanos();
            pause = ranWell ? SHORTEST_PAUSE : pause;
            Messages.say("the command ended with " + code + "; restarting it in " + DurationText.of(pause));
            sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    @Override
    public void onError(Throwable failure) {
        exit.completeExceptionally(failure);
    }

    private void tell(Leadership leadership, String what) {
        if (!asked.quiet) {
            Messages.say("candidate '" + leadership.candidateName() + "' " + what + " in election '"
                    + leadership.electionName() + "', term " + leadership.term());
        }
    }

    /** Runs the command once. Returns its exit code; null if this candidate stopped it. */
    private @Nullable Integer runOnce(Leadership leadership) {
        Run run = start(leadership);
        if (run == null) {
            return null;
        }
        try (Child child = run.child()) {
            int code = await(child, run.watch());
            boolean lost = run.watch().finish();
            return ended() || lost || !leadership.isLeader() ? null : code;
        }
    }

    private synchronized @Nullable Run start(Leadership leadership) {
        if (stopped || exit.isDone() || !leadership.isLeader()) {
            return null;
        }
        Child child = Child.start(asked.line(), environment(leadership));
        Run run = new Run(child, LossWatch.begin(leadership.lease(), child, OnLost.TERM, grace, ttl, timing));
        running = run;
        gone = new CompletableFuture<>();
        return run;
    }

    /** Returns whether the command was stopped from outside. */
    private synchronized boolean ended() {
        running = null;
        gone.complete(null);
        return stopped;
    }

    /** Waits for the command. An interrupt means that the leadership has ended: the command must end before the lease does. */
    private static int await(Child child, LossWatch watch) {
        while (true) {
            try {
                return child.await();
            } catch (InterruptedException e) {
                watch.end();
            }
        }
    }

    private void sleep(Duration pause) throws InterruptedException {
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        timing.scheduler().schedule(pause.toNanos(), () -> over.complete(true));
        try {
            over.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<String, String> environment(Leadership leadership) {
        String term = Long.toString(leadership.term());
        return Map.of(
                "HOLDFAST_LOCK", leadership.electionName(),
                "HOLDFAST_TERM", term,
                "HOLDFAST_TOKEN", term,
                "HOLDFAST_OWNER", leadership.lease().owner(),
                "HOLDFAST_CANDIDATE", leadership.candidateName(),
                "HOLDFAST_TTL_MS", Long.toString(ttl.toMillis()));
    }

    // ---- from outside

    /** Passes a signal on to the command if one runs. */
    synchronized void signal(String name) {
        if (running != null) {
            running.child().signal(name);
        }
    }

    /**
     * Asks the command and the processes that it has started to end, kills them after the grace, and returns when they have ended. No command is started
     * afterwards.
     */
    void stop() {
        Run run;
        CompletableFuture<Void> end;
        synchronized (this) {
            stopped = true;
            run = running;
            end = gone;
        }
        if (run != null) {
            run.watch().stop();
        }
        end.join();
    }
}
