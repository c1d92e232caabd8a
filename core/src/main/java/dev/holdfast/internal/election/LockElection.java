package dev.holdfast.internal.election;

import dev.holdfast.election.Candidacy;
import dev.holdfast.election.Candidate;
import dev.holdfast.election.Election;
import dev.holdfast.election.Leader;
import dev.holdfast.election.LeaderWatch;
import dev.holdfast.internal.thread.Await;
import dev.holdfast.internal.time.Durations;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** An election over one lock. */
public final class LockElection implements Election {

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);
    private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);
    private static final Duration USUAL_INTERVAL = Duration.ofSeconds(1);

    private final DistributedLock lock;
    private final String candidateName;
    private final Candidacies candidacies;
    private final Timing timing;

    /**
     * Makes the election.
     *
     * @throws IllegalArgumentException if the candidate's name is not valid
     */
    public LockElection(DistributedLock lock, String candidateName, Candidacies candidacies, Timing timing) {
        this.lock = lock.mode(LockMode.EX).autoExtend(true).localHandOver(false);
        this.candidateName = CandidateName.require("candidateName", candidateName);
        this.candidacies = candidacies;
        this.timing = timing;
    }

    @Override
    public Election options(UnaryOperator<LockOptions> change) {
        return new LockElection(lock.options(change), candidateName, candidacies, timing);
    }

    @Override
    public Election candidateName(String candidateName) {
        String label = CandidateName.require("candidateName", candidateName);
        return new LockElection(lock.options(options -> options.label(label)), label, candidacies, timing);
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public String candidateName() {
        return candidateName;
    }

    @Override
    public Duration ttl() {
        return lock.ttl();
    }

    // ---- to lead

    @Override
    public Candidacy stand(Candidate candidate) {
        LockCandidacy candidacy =
                new LockCandidacy(this, lock, Objects.requireNonNull(candidate, "candidate"), candidacies, timing);
        candidacy.begin();
        return candidacy;
    }

    // ---- to watch

    @Override
    public Optional<Leader> leader() throws InterruptedException {
        return Await.orCancel(leaderAsync(), leader -> {});
    }

    @Override
    public CompletableFuture<Optional<Leader>> leaderAsync() {
        return lock.statusAsync().thenApply(LockElection::leaderOf);
    }

    private static Optional<Leader> leaderOf(LockStatus now) {
        now.requireQuorum();
        return now.value()
                .flatMap(ElectionRecord::parse)
                .filter(written -> now.holders().stream()
                        .anyMatch(
                                holder -> holder.hasMajority() && holder.owner().equals(written.owner())))
                .map(written -> new Leader(
                        written.candidateName(),
                        written.term(),
                        Instant.ofEpochMilli(written.sinceMillis()),
                        written.owner()));
    }

    @Override
    public LeaderWatch observe(Consumer<Optional<Leader>> observer) {
        Duration third = Duration.ofMillis(ttl().toMillis() / 3);
        return observe(third.compareTo(USUAL_INTERVAL) < 0 ? third : USUAL_INTERVAL, observer);
    }

    @Override
    public LeaderWatch observe(Duration interval, Consumer<Optional<Leader>> observer) {
        Objects.requireNonNull(observer, "observer");
        Durations.requireBetween("interval", interval, SHORTEST_INTERVAL, LONGEST_INTERVAL);
        PollingWatch watch = new PollingWatch(this, interval, observer, timing.scheduler());
        watch.begin();
        return watch;
    }

    @Override
    public String toString() {
        return "Election[" + name() + ", candidate " + candidateName + "]";
    }
}
