package dev.holdfast.election;

import dev.holdfast.internal.thread.Await;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.HoldfastClosedException;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One leader of many candidates: whoever holds the lock of this name leads, the others stand in its line, so what holds for a lock holds for a
 * leadership. Terms are fencing tokens and rise; a leader that crashed is followed within one ttl, one that steps down at once. An immutable
 * value, thread-safe; {@link dev.holdfast.Holdfast#election} makes it. Methods that change a setting return a changed copy.
 */
public final class Election {

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);
    private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);
    private static final Duration USUAL_INTERVAL = Duration.ofSeconds(1);

    private final DistributedLock lock;
    private final String candidateName;
    private final Candidacies candidacies;
    private final Function<String, CompletableFuture<LockStatus>> status;
    private final Timing timing;

    /** Made by {@link dev.holdfast.Holdfast#election}. */
    public Election(
            DistributedLock lock,
            String candidateName,
            Candidacies candidacies,
            Function<String, CompletableFuture<LockStatus>> status,
            Timing timing) {
        this.lock = lock.mode(LockMode.EX).autoExtend(true).localHandOver(false);
        this.candidateName = CandidateName.require("candidateName", candidateName);
        this.candidacies = candidacies;
        this.status = status;
        this.timing = timing;
    }

    /**
     * The same election with another {@linkplain DistributedLock#ttl ttl}: how long there is no leader after one has crashed, and how long a leader
     * survives without a majority of nodes. 50 ms to 24 h; the client's unless set. All candidates should use the same.
     */
    public Election ttl(Duration ttl) {
        return new Election(lock.ttl(ttl), candidateName, candidacies, status, timing);
    }

    /**
     * The same election with another name for the candidates that stand by it, for those who watch and for hand-overs; the client's name
     * unless set. It need not be unique: a hand-over to a name goes to whichever candidate of that name comes first.
     *
     * @param candidateName 1 to 100 bytes of UTF-8, all of characters that can be printed, with no space at either end
     */
    public Election candidateName(String candidateName) {
        return new Election(lock, candidateName, candidacies, status, timing);
    }

    /** The name of the election, and of its lock. */
    public String name() {
        return lock.name();
    }

    /** The name of candidates that stand by this. */
    public String candidateName() {
        return candidateName;
    }

    /** How long a leadership lasts that is not extended. */
    public Duration ttl() {
        return lock.ttl();
    }

    // ---- to lead

    /**
     * Stands for election, until the candidacy or the client is closed: waits in line without end, leads when its turn has come, and gets
     * in line again when that is over. Nodes that can't be reached are no reason to give up; a log message says when they are too few.
     * Returns at once.
     *
     * @throws HoldfastClosedException if the client is closed
     */
    public Candidacy stand(Candidate candidate) {
        Candidacy candidacy =
                new Candidacy(this, lock, Objects.requireNonNull(candidate, "candidate"), candidacies, timing);
        candidacy.begin();
        return candidacy;
    }

    // ---- to watch

    /**
     * Who leads now: asks the nodes, and blocks for a round trip, a node timeout at most. Empty if nobody does, also in the moment
     * between an election and the word of it.
     *
     * @throws NoQuorumException if fewer nodes than a majority answered
     * @throws HoldfastClosedException if the client is closed
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public Optional<Leader> leader() throws InterruptedException {
        return Await.orCancel(leaderAsync(), leader -> {});
    }

    /** As {@link #leader}, without blocking. Completes on a worker thread, with the same exceptions as causes. */
    public CompletableFuture<Optional<Leader>> leaderAsync() {
        return status.apply(name()).thenApply(Election::leaderOf);
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

    /**
     * {@link #observe(Duration, Consumer)}, asking every second, or three times a ttl if that is shorter.
     */
    public LeaderWatch observe(Consumer<Optional<Leader>> observer) {
        Duration third = Duration.ofMillis(ttl().toMillis() / 3);
        return observe(third.compareTo(USUAL_INTERVAL) < 0 ? third : USUAL_INTERVAL, observer);
    }

    /**
     * Tells who leads now, and of every change that it sees, one after the other, on a worker thread. By asking the nodes again and again, since they
     * push only to those in line: a change is told up to an interval and a node timeout late, and a leadership that is shorter may not be
     * seen at all. While no majority answers nothing is told, so the last that was told may be outdated.
     *
     * @param interval how long to wait between an answer and the next question, 10 ms to 1 h; each question goes to every node
     * @param observer one that throws is logged, and told of the next change
     * @throws HoldfastClosedException if the client is closed; once it is, nothing is told any more
     */
    public LeaderWatch observe(Duration interval, Consumer<Optional<Leader>> observer) {
        Objects.requireNonNull(interval, "interval");
        Objects.requireNonNull(observer, "observer");
        if (interval.compareTo(SHORTEST_INTERVAL) < 0 || interval.compareTo(LONGEST_INTERVAL) > 0) {
            throw new IllegalArgumentException(
                    "interval is " + interval + ", but must be from " + SHORTEST_INTERVAL + " to " + LONGEST_INTERVAL);
        }
        LeaderWatch watch = new LeaderWatch(this, interval, observer, timing.scheduler());
        watch.begin();
        return watch;
    }

    @Override
    public String toString() {
        return "Election[" + name() + ", candidate " + candidateName + "]";
    }
}
