package dev.holdfast.simulator;

import static dev.holdfast.simulator.Promise.DONE_ONCE;
import static dev.holdfast.simulator.Promise.ENDED;
import static dev.holdfast.simulator.Promise.ENDS_EVERYWHERE;
import static dev.holdfast.simulator.Promise.FAIR;
import static dev.holdfast.simulator.Promise.IN_ORDER;
import static dev.holdfast.simulator.Promise.LOCAL_ORDER;
import static dev.holdfast.simulator.Promise.MANNERS;
import static dev.holdfast.simulator.Promise.NOTHING_LEFT;
import static dev.holdfast.simulator.Promise.NO_BLAME;
import static dev.holdfast.simulator.Promise.NO_BLOCKING;
import static dev.holdfast.simulator.Promise.NO_ERROR;
import static dev.holdfast.simulator.Promise.NO_ORPHANS;
import static dev.holdfast.simulator.Promise.ONE_HOLDER;
import static dev.holdfast.simulator.Promise.PROMPT;
import static dev.holdfast.simulator.Promise.REPLICAS_AGREE;
import static dev.holdfast.simulator.Promise.SERVED;
import static dev.holdfast.simulator.Promise.SIGNALS;
import static dev.holdfast.simulator.Promise.TOKENS_RISE;
import static dev.holdfast.simulator.Promise.VALUES;

import dev.holdfast.testkit.mutant.SourceEdit;
import java.util.ArrayList;
import java.util.List;

/** All mutants: those of PROTOCOL §8 by their numbers, then mistakes in the client and in nodes that persist their promises. */
final class Mutants {

    private static final String ATTEMPT = "internal/quorum/Attempt";
    private static final String CLOCK_STEPS = "internal/node/ClockSteps";
    private static final String CLOCK_WATCH = "node/ClockWatch";
    private static final String EXTENSION = "internal/quorum/Extension";
    private static final String HANDLE = "internal/lease/LeaseHandle";
    private static final String LEASE = "internal/lease/QuorumLease";
    private static final String MEMORY_NODE = "node/MemoryNode";
    private static final String QUEUE = "internal/lease/LocalQueue";
    private static final String RECORD = "node/LockRecord";
    private static final String RELEASE = "internal/quorum/Release";
    private static final String SCHEDULE = "internal/lease/RenewalSchedule";
    private static final String SESSION = "internal/lease/LockSession";
    private static final String TABLE = "node/LockTable";
    private static final String TURNS = "internal/lease/LeaseTurns";
    private static final String REQUESTS = "internal/quorum/VoteRequests";
    private static final String TOKENS = "internal/lease/TokenBlock";
    private static final String VOTE = "internal/quorum/NodeVote";
    private static final String VOTES = "internal/quorum/VoteSet";

    private final List<Mutant> all = new ArrayList<>();

    private Mutants() {}

    static List<Mutant> all() {
        Mutants mutants = new Mutants();
        mutants.ofTheProtocol();
        mutants.ofAttempts();
        mutants.ofLeases();
        mutants.ofLeasesThatMove();
        mutants.ofTokens();
        mutants.ofLocalQueues();
        mutants.ofNodesThatPromise();
        mutants.ofClocks();
        mutants.ofRecipes();
        mutants.ofQuarantine();
        mutants.ofDatabases();
        mutants.ofClusters();
        return mutants.all;
    }

    private void ofTheProtocol() {
        mutant("1 no raise")
                .edit(VOTES, "&& vote.fence >= fence ? 1 : 0;", "? 1 : 0;")
                .edit(VOTES, "if (vote.fence == fence) {", "if (fence >= 0) {")
                .shows(Scenarios.STORM, TOKENS_RISE);
        mutant("2 a stale push is believed")
                .edit(REQUESTS, "push.fence() > vote.seenFence", "true")
                .shows(Scenarios.STALE, ONE_HOLDER, TOKENS_RISE);
        mutant("3 a raise may make a vote again")
                .edit(REQUESTS, "request.raisedTo(raiseTo)", "request.extending(raiseTo, null)")
                .shows(Scenarios.SLOW, TOKENS_RISE);
        mutant("4 validity counts from the answer")
                .edit(REQUESTS, "new Deadline(sent, settings.ttlNanos())", "new Deadline(now, settings.ttlNanos())")
                .edit(REQUESTS, "new Deadline(vote.queuedSince, life)", "new Deadline(now, life)")
                .shows(Scenarios.LATE, ONE_HOLDER);
        mutant("5 no quarantine")
                .edit("HoldfastBuilder", "LongUnaryOperator.identity()", "ttlMillis -> 0")
                .shows(Scenarios.FORGETFUL, ONE_HOLDER);
        mutant("5a the fences of an only node are remembered")
                .edit(TABLE, "base = Long.MAX_VALUE;", "base = Math.max(base, 1);")
                .shows(Scenarios.FLUSHES, TOKENS_RISE);
        mutant("5b a promoted replica is believed")
                .edit("node/ServerMemory", "if (due || any.isPresent() || promoted) {", "if (due) {")
                .shows(Scenarios.FAILOVERS, ONE_HOLDER, TOKENS_RISE);
        mutant("5c a replica that has no epoch key is believed")
                .edit("node/ServerMemory", "if (due || any.isPresent() || promoted) {", "if (due || any.isPresent()) {")
                .shows(Scenarios.FAILOVERS, ONE_HOLDER, TOKENS_RISE);
        mutant("5d a new disk is believed")
                .modelled("SimDisk", "return newSinceMillis == 0 ?", "return newSinceMillis >= 0 ?")
                .shows(Scenarios.LOST_DISKS, ONE_HOLDER, TOKENS_RISE);
        mutant("5e a new disk is believed after a second start")
                .modelled(
                        "SimDisk",
                        "    Run open() {",
                        "    private int opened;\n    Run open() {\n        if (++opened > 1) { newSinceMillis = 0; }")
                .shows(Scenarios.LOST_DISKS, ONE_HOLDER, TOKENS_RISE);
        mutant("5f a set that has been used is bootstrapped")
                .modelled("Bootstrapping", "standing == null || !standing.asked()", "true")
                .shows(Scenarios.BOOTSTRAPS, ONE_HOLDER, TOKENS_RISE);
        mutant("5g a set is bootstrapped although a node does not answer")
                .modelled("Bootstrapping", "boolean answers = standing != null;", "boolean answers = true;")
                .modelled("Bootstrapping", "new Standing(0, true) : standing", "new Standing(0, false) : standing")
                .shows(Scenarios.BOOTSTRAPS, ONE_HOLDER, TOKENS_RISE);
        mutant("5h a bootstrap counts for a later disk")
                .modelled("SimDisk", "expected != incarnation || failing", "failing")
                .from(800)
                .shows(Scenarios.BOOTSTRAPS, ONE_HOLDER, TOKENS_RISE);
        mutant("5i a node keeps no record over a restart that it was asked for a vote")
                .modelled("SimDisk", "            asked |= wish.asked;\n", "")
                .modelled("SimDisk", "            asked = wasAsked;\n", "")
                .shows(Scenarios.BOOTSTRAPS, ONE_HOLDER, TOKENS_RISE);
        mutant("5j nodes are asked only once before a bootstrap")
                .modelled("Bootstrapping", "ROUNDS = 2", "ROUNDS = 1")
                .from(1_100)
                .shows(Scenarios.BOOTSTRAPS, ONE_HOLDER, TOKENS_RISE);
        mutant("6 an absent fence starts from 0")
                .edit(RECORD, "return Math.max(remembered(now), base);", "return remembered(now);")
                .edit(RECORD, "return fence != 0 ? fence : FenceFromTime.ofAbsent(now);", "return fence;")
                .shows(Scenarios.FORGETFUL, TOKENS_RISE);
        mutant("7 no drift allowance")
                .edit("internal/quorum/Validity", "return ttlNanos / DRIFT_DIVISOR + DRIFT_NANOS;", "return 0;")
                .shows(Scenarios.DRIFT, ONE_HOLDER);
        mutant("8 yield keeps its owner id")
                .edit(
                        VOTE,
                        "        round++;\n        unanswered = 0;\n        carriedOut = 0;\n        doubtful = 0;\n",
                        "")
                .shows(Scenarios.STORM, ONE_HOLDER, MANNERS);
        mutant("9 a majority is N / 2")
                .edit("internal/quorum/Validity", "return nodes / 2 + 1;", "return Math.max(nodes / 2, 1);")
                .shows(Scenarios.STORM, ONE_HOLDER, TOKENS_RISE);
        mutant("10 release without comparing the owner")
                .edit("node/Votes", "Vote gone = of(owner);", "Vote gone = isEmpty() ? null : all().iterator().next();")
                .shows(Scenarios.STORM, ONE_HOLDER);
        mutant("11 a failed attempt returns its fence numbers")
                .edit(
                        REQUESTS,
                        "|| lacks(vote, known), known)",
                        "|| lacks(vote, known), known == null ? new Seal(\"\", 0, 1) : known)")
                .edit(
                        TABLE,
                        "        if (request.seal() != null) {",
                        "        boolean failed = request.seal() != null && request.seal().by().isEmpty();\n"
                                + "        if (failed && hadVote) { record.giveFenceBack(); }\n"
                                + "        if (request.seal() != null && !failed) {")
                .edit(
                        RECORD,
                        "    boolean isEmpty() {",
                        "    void giveFenceBack() { fence--; }\n    boolean isEmpty() {")
                .shows(Scenarios.MODES, TOKENS_RISE);
        mutant("12 tickets from plain clocks")
                .edit("internal/owner/TicketClock", "if (ticketTime > last.get() &&", "if (ticketTime < 0 &&")
                .shows(Scenarios.CALM, IN_ORDER);
        mutant("13 no tombstone")
                .edit(RELEASE, "buries ? lifeMillis : 0;", "0;")
                .shows(Scenarios.LOSSY, NO_ORPHANS);
        mutant("14 a remembered fence is believed")
                .edit(RECORD, "return Math.max(remembered(now), base);", "return remembered(now);")
                .shows(Scenarios.SINGLE, TOKENS_RISE);
        mutant("19 an older value replaces a later one")
                .edit(RECORD, " && later.isLaterThan(value)) {", ") {")
                .shows(Scenarios.SINGLE, VALUES);
        mutant("20 the value of the first vote is believed")
                .edit(
                        VOTES,
                        "value = LockValue.later(vote.value, value);",
                        "value = value == null ? vote.value : value;")
                .shows(Scenarios.STORM, VALUES);
        mutant("21 a push carries no value")
                .edit(REQUESTS, "vote.granted(push.fence(), push.value(), new", "vote.granted(push.fence(), null, new")
                .shows(Scenarios.STORM, VALUES);
        mutant("22 a value counts as written without a majority")
                .edit(
                        "internal/lease/LeaseOperations",
                        "case UNCONFIRMED -> WriteOutcome.UNCONFIRMED;",
                        "case UNCONFIRMED -> WriteOutcome.WRITTEN;")
                .shows(Scenarios.STORM, VALUES);
        mutant("23 a seal is not written back")
                .edit(REQUESTS, "return seal != null && vote.seal == null;", "return false;")
                .shows(Scenarios.ROLLING_SEALS, DONE_ONCE);
        mutant("24 a value is not written back")
                .edit(RELEASE, "value != null && vote.lacks(value) ? value : null;", "null;")
                .shows(Scenarios.ROLLING, VALUES);
    }

    private void ofAttempts() {
        mutant("a push below an earlier answer is ignored")
                .edit(REQUESTS, "push instanceof Push.Granted && settings.waits()", "false")
                .shows(Scenarios.SECONDS, PROMPT);
        mutant("a timeout counts as a no")
                .edit(VOTE, "touched || unanswered > 0", "touched")
                .shows(Scenarios.LOSSY, NO_ORPHANS);
        mutant("a cancelled attempt is not released")
                .edit(
                        ATTEMPT,
                        "        requests.end();",
                        "        if (reason != Refusal.Reason.CANCELLED) { requests.end(); } else { requests.stop(); }")
                .shows(Scenarios.LOSSY, NO_ORPHANS);
        mutant("votes are never yielded")
                .edit(ATTEMPT, "if (requests.isAsking()", "if (vote.node < 0")
                .shows(Scenarios.STORM, SERVED);
        mutant("a release that failed is not sent again")
                .edit(RELEASE, "if (!insists ||", "if (vote.node >= 0 ||")
                .shows(Scenarios.LOSSY, NO_ORPHANS);
        mutant("a newcomer passes the queue")
                .edit(TABLE, "!request.mode().bearsToken() || !record.queue.hasBefore(owner.ticket())", "owner != null")
                .shows(Scenarios.CALM, IN_ORDER, SERVED, PROMPT, NOTHING_LEFT);
    }

    private void ofLeases() {
        mutant("at risk is reported after lost")
                .edit(
                        HANDLE,
                        "            if (state == State.HELD) {\n                callback.accept(event);\n",
                        "            if (state != null) {\n                callback.accept(event);\n")
                .edit(
                        HANDLE,
                        "            callbacks.lost(event);",
                        "            callbacks.lost(event); callbacks.atRisk.lower();"
                                + " callbacks.atRisk.raise(new AtRisk(name(), Duration.ZERO, \"\"));")
                .shows(Scenarios.STORM, SIGNALS);
        mutant("the loss is reported late")
                .edit(SCHEDULE, "long next = leftNanos - lossMarginNanos;", "long next = leftNanos + 60_000_000;")
                .shows(Scenarios.STORM, SIGNALS);
        mutant("an extension overlaps the release")
                .edit(
                        LEASE,
                        "        ended = true;\n        holder = null;\n        renewal.end();\n",
                        "        holder = null;\n")
                .shows(Scenarios.STORM, MANNERS);
        mutant("an extension counts from its answer")
                .edit(
                        EXTENSION,
                        "listener.extended(new Deadline(sent,",
                        "listener.extended(new Deadline(quorum.timing().now(),")
                .shows(Scenarios.LATE, ONE_HOLDER);
        mutant("one vote extends a lease")
                .edit(EXTENSION, "if (extended || agreed() < quorum.majority()) {", "if (extended) {")
                .shows(Scenarios.MODES, ONE_HOLDER);
        mutant("the wall clock is ignored")
                .edit("time/Moment", "return Math.max(Math.max(monotonic, wall), 0);", "return Math.max(monotonic, 0);")
                .shows(Scenarios.SLEEP, ONE_HOLDER, SIGNALS);
        mutant("maxHold is ignored")
                .edit(
                        HANDLE,
                        "return Math.min(lease.validNanos(now), maxHoldNanos(now));",
                        "return lease.validNanos(now);")
                .edit(
                        "internal/lease/LeaseRenewal",
                        "return Math.min(validNanos(now), lease.maxHoldNanos(now));",
                        "return validNanos(now);")
                .shows(Scenarios.STORM, SIGNALS);
        mutant("a step throws")
                .edit(
                        SCHEDULE,
                        "            long late = armed.nanosUntil",
                        "            if (armedNanos > 0) { throw new IllegalStateException(); }\n"
                                + "            long late = armed.nanosUntil")
                .shows(Scenarios.STORM, NO_ERROR);
        mutant("a lease's timer goes on after its end")
                .edit(
                        SCHEDULE,
                        "        ended = true;\n        if (timer != null) {\n            timer.cancel();\n        }",
                        "        ended = true;\n        timing.scheduler().schedule(Long.MAX_VALUE, () -> {});")
                .shows(Scenarios.STORM, NOTHING_LEFT);
    }

    private void ofLeasesThatMove() {
        mutant("the release of a lease that moves leaves no tombstone")
                .edit(RELEASE, "votes.isShared() || vote.mayArriveLate();", "vote.mayArriveLate();")
                .shows(Scenarios.MOVING, ENDS_EVERYWHERE);
        mutant("a client releases a lease that has moved")
                .edit(LEASE, "abandon(); // another client may have extended the lease", "release(null);")
                .edit(LEASE, "seal == null && votes().isShared()", "seal != null && ended")
                .shows(Scenarios.MOVING, ONE_HOLDER);
    }

    private void ofTokens() {
        mutant("a raise for tokens may make a vote again")
                .smallBlocks()
                .edit(EXTENSION, "update.heal(), carried);", "true, carried);")
                .shows(Scenarios.BLOCKS, TOKENS_RISE);
        mutant("one vote raises a lease")
                .smallBlocks()
                .edit(EXTENSION, "agreed() < quorum.majority()", "agreed() < (update.heal() ? quorum.majority() : 1)")
                .shows(Scenarios.BLOCKS, TOKENS_RISE);
        mutant("a vote with a larger fence than raised to counts")
                .smallBlocks()
                .edit(
                        EXTENSION,
                        "granted = update.heal() ? answer.fence() >= update.floor() : answer.fence() =="
                                + " update.floor();",
                        "granted = answer.fence() >= update.floor();")
                .shows(Scenarios.BLOCKS, TOKENS_RISE);
        mutant("a base in the future is believed")
                .edit(TABLE, "Math.max(Math.min(base, FenceFromTime.ofRun(now)), floor)", "Math.max(base, floor)")
                .shows(Scenarios.TTLS, TOKENS_RISE);
        mutant("a token is given twice")
                .edit(TOKENS, "return next++;", "return left() % 8 == 0 ? next++ - 1 : next++;")
                .shows(Scenarios.HAND_OVER, TOKENS_RISE);
        mutant("tokens are used that were not asked for")
                .edit("internal/lease/TokenSupply", "return block.left() > 0;", "return true;")
                .shows(Scenarios.HAND_OVER, TOKENS_RISE);
    }

    private void ofLocalQueues() {
        mutant("hand-over continues although others wait")
                .edit(LEASE, "boolean fair = contender == null || handOvers < MOST_HAND_OVERS;", "boolean fair = true;")
                .shows(Scenarios.HAND_OVER, LOCAL_ORDER, SERVED);
        mutant("a waiter in an answer is ignored")
                .edit(
                        EXTENSION,
                        "if (answer.contender() != null) {",
                        "if (answer.contender() != null && !update.heal()) {")
                .shows(Scenarios.HAND_OVER, LOCAL_ORDER, SERVED);
        mutant("a waiter that scripts of old clients leave out of the push stays unknown")
                .edit(
                        EXTENSION,
                        "if (answer.contender() != null) {",
                        "if (answer.contender() != null && !update.heal()) {")
                .shows(Scenarios.VERSIONS, LOCAL_ORDER, SERVED);
        mutant("the push names no waiter")
                .edit(TABLE, "            if (next != null) {", "            if (next != null && next.time() < 0) {")
                .shows(Scenarios.FAIR, FAIR);
        mutant("a waiter in the answer to an attempt is ignored")
                .edit(REQUESTS, "vote.contender = granted.contender();", "vote.contender = null;")
                .shows(Scenarios.FAIR_DEATHS, FAIR);
        mutant("a lease ignores that it is contended")
                .edit(
                        LEASE,
                        "if (push instanceof Push.Contended contended) {",
                        "if (push instanceof Push.Contended contended && contended.waiter().time() < 0) {")
                .shows(Scenarios.LINGER, LOCAL_ORDER);
        mutant("a lease lingers although others wait")
                .edit(QUEUE, "lingerNanos == 0 || free.isContended()", "lingerNanos == 0")
                .shows(Scenarios.LINGER, LOCAL_ORDER);
        mutant("a lease at risk is handed over")
                .edit(LEASE, "fair && renewal.isSafe(now);", "fair;")
                .shows(Scenarios.HAND_OVER, SIGNALS);
        mutant("a lease lingers for ever")
                .edit(QUEUE, "linger.start(now, lingerNanos);", "now.nanos();")
                .shows(Scenarios.LINGER, NOTHING_LEFT);
        mutant("an extension restarts the linger time")
                .edit(QUEUE, "if (!linger.isRunning()) {", "if (now != null) {")
                .shows(Scenarios.LINGER, NOTHING_LEFT);
        mutant("a lease is handed over while it is held")
                .edit(TURNS, "if (!ended && !lease.isHeld() && !stays()) {", "if (!ended && !stays()) {")
                .shows(Scenarios.HAND_OVER, ONE_HOLDER);
        mutant("the last to arrive is next")
                .edit(
                        "internal/lease/WaiterQueue",
                        "Waiter first() {\n        return first;",
                        "Waiter first() {\n        return last;")
                .shows(Scenarios.HAND_OVER, LOCAL_ORDER);
        mutant("the loss is reported to the first holder")
                .edit(
                        LEASE,
                        "    private int handOvers;",
                        "    private @Nullable LeaseHolder told; private int handOvers;")
                .edit(LEASE, "        holder = next;\n", "        holder = next; told = told == null ? next : told;\n")
                .edit(LEASE, "            loser.notifyLost(event);", "            told.notifyLost(event);")
                .shows(Scenarios.HAND_OVER, SIGNALS);
        mutant("waiters are dropped when the lease is lost")
                .edit(
                        SESSION,
                        "            waiters.leaseEnded();\n            continueOrEnd();",
                        "            waiters.leaseEnded();\n            endIfUnused();")
                .shows(Scenarios.HAND_OVER, LOCAL_ORDER, SERVED);
    }

    private void ofNodesThatPromise() {
        mutant("a node loses its votes")
                .edit(
                        MEMORY_NODE,
                        "long quarantineMillis = promises == null ? 0 : promises.remainingMillis();",
                        "long quarantineMillis = 0;")
                .shows(Scenarios.PROMISES, ONE_HOLDER);
        mutant("a node loses its seals")
                .edit(MEMORY_NODE, "            promises.seals().forEach(this::restore);\n", "")
                .shows(Scenarios.PROMISED_SEALS, DONE_ONCE);
        mutant("a node answers before it has written")
                .edit(
                        MEMORY_NODE,
                        "return kept.handle(",
                        "return CompletableFuture.<Void>completedFuture(null).handle(")
                .shows(Scenarios.PROMISES, ONE_HOLDER, TOKENS_RISE);
        mutant("a node answers although it could not write")
                .edit(
                        MEMORY_NODE,
                        "                unwritten(failure);\n                return (T) UNWRITTEN;",
                        "                return answer;")
                .shows(Scenarios.PROMISES, ONE_HOLDER, TOKENS_RISE);
        mutant("a node reports a seal that it could not write")
                .edit(MEMORY_NODE, "told = toSeal == null ? sealedIn(answer, resource) : toSeal;", "told = toSeal;")
                .shows(Scenarios.TOLD_SEALS, DONE_ONCE);
        mutant("a node notifies others before it has written")
                .edit(
                        MEMORY_NODE,
                        "        return kept.handle((done, failure) -> {\n",
                        "        pushes.forEach(this::deliver);\n        return kept.handle((done, failure) -> {\n")
                .shows(Scenarios.PROMISES, ONE_HOLDER, TOKENS_RISE);
    }

    private void ofClocks() {
        mutant("a freeze is taken for a step of the nodes")
                .edit(CLOCK_STEPS, "most.isPresent() && most.getAsLong() < micros / 2", "most.isPresent()")
                .shows(Scenarios.FROZEN, NO_BLAME);
        mutant("a freeze does not shorten leases")
                .edit(CLOCK_STEPS, "            clock.missed(millis);\n", "")
                .shows(Scenarios.FROZEN, ONE_HOLDER, SIGNALS);
        mutant("a wall clock that is set back makes up for a freeze")
                .edit("internal/time/AdjustedTicker", "Math.max(millis - aheadMillis, 0)", "millis - aheadMillis")
                .shows(Scenarios.FROZEN, ONE_HOLDER, SIGNALS);
        mutant("a node that is watched only since the freeze is a witness")
                .edit(CLOCK_WATCH, "one.received.nanos() - since.nanos() < 0", "one != now")
                .shows(Scenarios.FROZEN, NO_BLAME);
        mutant("a look that took long is a witness")
                .edit(CLOCK_WATCH, "return later.serverMicros + later.tookMicros() - ", "return later.serverMicros - ")
                .shows(Scenarios.FROZEN, NO_BLAME);
        mutant("a look across a wall clock that was set is a witness")
                .edit(CLOCK_WATCH, "- serverMicros - monotonic + slew", "- serverMicros - elapsedMicros(later) + slew")
                .shows(Scenarios.FROZEN, NO_BLAME);
    }

    private void ofRecipes() {
        mutant("a step of several locks that throws is swallowed")
                .edit(
                        "internal/recipe/LockSet",
                        "                future.completeExceptionally(e);\n                giveBack();",
                        "                giveBack();")
                .shows(Scenarios.CLOSING, ENDED);
        mutant("a step of a semaphore that throws is swallowed")
                .edit(
                        "internal/recipe/PlaceSemaphore",
                        "if (future.completeExceptionally(e) && said instanceof Acquisition.Held got) {",
                        "if (said instanceof Acquisition.Held got) {")
                .shows(Scenarios.CLOSING, ENDED);
        mutant("a candidate that pauses is not ended")
                .edit(
                        "internal/election/LockCandidacy",
                        "            if (unannounced == null) {\n                end();\n            } else {",
                        "            if (unannounced != null) {")
                .shows(Scenarios.CLOSING, ENDED);
    }

    private void ofQuarantine() {
        mutant("a place at a node that does not count is kept")
                .edit(REQUESTS, "        if (vote.mayNeedRelease()) {\n", "        if (vote.round < 0) {\n")
                .shows(Scenarios.TTLS, NO_BLOCKING);
        mutant("a late answer does not tell of a longer ttl")
                .edit(
                        "internal/quorum/VoteRequests",
                        "            learnTtl(answer.longestTtlMillis());",
                        "            learnTtl(vote.round == round ? answer.longestTtlMillis() : 0);")
                .from(92_700_293)
                .shows(Scenarios.TTLS, NO_BLOCKING);
        mutant("the longest ttl is not remembered")
                .edit(TABLE, "return longest > request.ttlMillis() ? longest : 0;", "return 0;")
                .shows(Scenarios.ROLLING_TTLS, ONE_HOLDER);
    }

    /** The rules of a PostgreSQL node are SQL, which the simulator plays by a class of its own. */
    private void ofDatabases() {
        mutant("a promoted asynchronous standby is believed")
                .modelled("DatabaseRow", "boolean hasAll = complete && now.timeline", "boolean hasAll = now.timeline")
                .shows(Scenarios.DATABASES, ONE_HOLDER, TOKENS_RISE);
        mutant("a database that loses commits in a crash is believed")
                .modelled("DatabaseRow", "if (run.equals(now)) {", "if (run.timeline == now.timeline) {")
                .shows(Scenarios.DATABASES, ONE_HOLDER, TOKENS_RISE);
        mutant("a promoted standby without the row is believed")
                .modelled("DatabaseRow", "return now.timeline > 0 ? nowMillis : now.startMillis;", "return 0;")
                .shows(Scenarios.DATABASES, ONE_HOLDER, TOKENS_RISE);
        mutant("the fences of an only database are remembered")
                .edit(TABLE, "base = Long.MAX_VALUE;", "base = Math.max(base, 1);")
                .shows(Scenarios.DATABASE_FAILOVERS, TOKENS_RISE);
    }

    private void ofClusters() {
        mutant("log time follows the wall clock")
                .modelled(
                        "SimCluster",
                        "return machine.timing().ticker().nanos();",
                        "return machine.timing().ticker().wallMillis() * NANOS_PER_MILLI;")
                .shows(Scenarios.CLUSTER, ONE_HOLDER, VALUES);
        mutant("log time restarts from the new leader's wall clock")
                .modelled(
                        "SimCluster",
                        "millis == 0 ? machine.timing().ticker().wallMillis() : millis",
                        "machine.timing().ticker().wallMillis()")
                .shows(Scenarios.CLUSTER, ONE_HOLDER, SERVED);
        mutant("a follower drops what has expired by its own clock")
                .modelled(
                        "SimCluster",
                        "                catchUp(end);\n",
                        "                catchUp(end);\n"
                                + "                table.sweep(machine.timing().ticker().wallMillis());\n")
                .shows(Scenarios.CLUSTER, ONE_HOLDER, TOKENS_RISE, VALUES, REPLICAS_AGREE);
        mutant("log time goes on while nothing is committed")
                .modelled("SimCluster", "clockNanos() - waitsSinceNanos - LONGEST_COMMIT_NANOS, 0", "0, 0")
                .shows(Scenarios.CLUSTER_ORDER, IN_ORDER);
        mutant("a leader notifies clients before the commit")
                .appliedEarly("entry.requests.forEach(each -> each.operation.on(early, now, pushes));")
                .shows(Scenarios.CLUSTER, ONE_HOLDER, TOKENS_RISE);
        mutant("a leader answers before the commit")
                .appliedEarly("entry.requests.forEach("
                        + "each -> each.answer.complete(each.operation.on(early, now, push -> {})));")
                .shows(Scenarios.CLUSTER, ONE_HOLDER, TOKENS_RISE);
    }

    /** No mistake: the truth with small blocks, in which nothing may be noticed. */
    static Mutant smallBlocks() {
        Mutants mutants = new Mutants();
        mutants.mutant("small blocks").smallBlocks().shows(Scenarios.BLOCKS);
        return mutants.all.get(0);
    }

    private Maker mutant(String name) {
        return new Maker(name);
    }

    /** Puts a mutant together. */
    private final class Maker {

        private final String name;
        private final List<SourceEdit> edits = new ArrayList<>();
        private long firstSeed;

        Maker(String name) {
            this.name = name;
        }

        Maker edit(String source, String from, String to) {
            edits.add(new SourceEdit("core", source, from, to));
            return this;
        }

        /** Edits the model of a part of a node that is not in core. */
        Maker modelled(String source, String from, String to) {
            edits.add(new SourceEdit("proof/simulator", "simulator/" + source, from, to));
            return this;
        }

        /** A leader keeps a second table, to which it applies each entry when it proposes it; the step uses that table. */
        Maker appliedEarly(String step) {
            modelled(
                    "SimCluster", "        boolean stalled;\n", "        boolean stalled;\n        LockTable early;\n");
            modelled(
                    "SimCluster",
                    "            leads = true;\n",
                    "            leads = true;\n"
                            + "            early = new LockTable(fenceRetentionMillis, 0);\n"
                            + "            for (Entry one : committed) {\n"
                            + "                one.requests.forEach("
                            + "each -> each.operation.on(early, one.millis, push -> {}));\n"
                            + "            }\n");
            return modelled(
                    "SimCluster",
                    "                underWay.add(entry);\n",
                    "                underWay.add(entry);\n                long now = Math.max(millis, entry.millis);\n"
                            + step + "\n");
        }

        /** Leases ask for more tokens after every few turns. */
        Maker smallBlocks() {
            edit(TOKENS, "FIRST_SIZE = 64;", "FIRST_SIZE = 8;");
            return edit(TOKENS, "LARGEST_SIZE = 1024;", "LARGEST_SIZE = 8;");
        }

        /** Begins with this seed, because few schedules show it. */
        Maker from(long seed) {
            firstSeed = seed;
            return this;
        }

        void shows(Scenario scenario, Promise... promises) {
            all.add(new Mutant(name, List.copyOf(edits), scenario, firstSeed, List.of(promises)));
        }
    }
}
