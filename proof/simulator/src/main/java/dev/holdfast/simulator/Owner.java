package dev.holdfast.simulator;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * A client as the nodes see it under one owner id: an attempt, and then the lease that its turns hold one after the other. Watches {@link
 * Promise#LOCAL_ORDER} and a lease's part of {@link Promise#MANNERS} and {@link Promise#TOKENS_RISE}.
 */
final class Owner {

    /** How often a lease may be handed over once its client knows of another waiter. */
    private static final int MOST_HAND_OVERS = 16;

    /** The longest time that a push is under way, and a little more. */
    private static final long PUSH_NANOS = 2_000_000;

    /** The longest time from the votes of a majority to the lease, if messages arrive: for pushes, a question and a raise of their fences. */
    private static final long PROMPT_NANOS = 50_000_000;

    /** The tokens of one request, and the largest token granted before it in each mode. */
    static final class Block {

        final long last;
        final long askedNanos;
        final long[] tokensBefore;

        Block(long last, long askedNanos, long[] tokensBefore) {
            this.last = last;
            this.askedNanos = askedNanos;
            this.tokensBefore = tokensBefore;
        }
    }

    final SimClient client;
    final SharedLock lock;
    final LockMode mode;
    final long attempt; // the time of the attempt's ticket, which identifies the attempt
    final boolean shared;
    private final Schedule schedule;
    private final int tokens;
    private final long seenTicket; // the latest ticket time of this lock that the client had seen before
    private final long askedNanos;
    private final int[] rounds; // the latest round at each node
    private final List<Block> raises = new ArrayList<>();
    private Block first;
    private long longestTtlMillis;

    private int queuedAt; // a bit for each node that has reported the attempt as queued
    private long queuedEverywhereNanos = Long.MAX_VALUE;
    private long votedForSinceNanos = Long.MAX_VALUE; // since a majority of the nodes has granted its vote

    private boolean won;
    private boolean released;
    private int releasedAt; // a bit for each node, for releases at the same moment
    private long releasedNanos;
    private long lastToken;
    private long handedNanos;
    private boolean firstIsExact;
    private boolean contended;
    private int handOvers;
    private long waitedForSinceNanos = Long.MAX_VALUE; // since a majority of the nodes has seen it
    private int turnsWhileWaitedFor;
    private long unwantedSinceNanos = Long.MAX_VALUE;

    /**
     * Creates the owner for an attempt that makes its first request.
     *
     * @param shared whether turns of the client share the attempt and its lease
     */
    Owner(Schedule schedule, SimClient client, SharedLock lock, AcquireRequest request, boolean shared) {
        this.schedule = schedule;
        this.client = client;
        this.lock = lock;
        this.mode = request.mode();
        this.attempt = request.owner().attempt();
        this.tokens = request.tokens();
        this.longestTtlMillis = request.ttlMillis();
        this.shared = shared;
        this.rounds = new int[schedule.servers().size()];
        this.seenTicket = client.seenTicket(lock);
        this.askedNanos = schedule.nanos();
        this.first = new Block(0, askedNanos, lock.topTokens());
    }

    // ---- the attempt

    /** Returns whether the attempt's first request came after this time. */
    boolean beganAfter(long nanos) {
        return askedNanos > nanos;
    }

    /** Notes that a node has the attempt in its queue. */
    void queuedAt(int node, int nodes, long nanos) {
        queuedAt |= 1 << node;
        if (Integer.bitCount(queuedAt) == nodes && queuedEverywhereNanos == Long.MAX_VALUE) {
            queuedEverywhereNanos = nanos;
        }
    }

    /** Returns whether every node had queued this attempt before the other began, and the other's client had seen its ticket or a later one. */
    boolean wasInLineBefore(Owner other) {
        return queuedEverywhereNanos < other.askedNanos && attempt <= other.seenTicket;
    }

    /** Checks that an attempt that has the votes of a majority soon becomes a lease. */
    void checkPrompt() {
        String id = client.holdfast().client() + "/" + attempt + "/";
        long now = schedule.nanos();
        long votes = won || released || !client.isUpToDate()
                ? 0
                : client.links().stream()
                        .filter(link -> link.countsVoteOf(id, lock.name(), longestTtlMillis, PROMPT_NANOS))
                        .count();
        boolean votedFor = votes >= schedule.scenario().majority();
        votedForSinceNanos = votedFor ? Math.min(votedForSinceNanos, now) : Long.MAX_VALUE;
        if (votedFor && now - votedForSinceNanos > PROMPT_NANOS) {
            schedule.broken(Promise.PROMPT, this + " has had the votes of a majority for a while, but no lease");
        }
    }

    /** Notes that a node remembers votes with this ttl. */
    void hearsOfATtl(long ttlMillis) {
        longestTtlMillis = Math.max(longestTtlMillis, ttlMillis);
    }

    /** Returns the longest ttl of this lock that the attempt knows. */
    long longestTtlMillis() {
        return longestTtlMillis;
    }

    // ---- the lease

    boolean isWon() {
        return won;
    }

    boolean isReleased() {
        return released;
    }

    /** Notes that a turn now holds the lease. */
    void has(Turn turn) {
        if (turn.token > 0 && turn.token <= lastToken) {
            schedule.broken(Promise.TOKENS_RISE, turn + " came after " + lastToken + " under the same lease");
        }
        if (isWaitedFor(PUSH_NANOS) && ++turnsWhileWaitedFor > MOST_HAND_OVERS) {
            schedule.broken(
                    Promise.FAIR,
                    turn + " is the " + turnsWhileWaitedFor + "th turn while the nodes have another client waiting");
        }
        if (won) {
            handedTo(turn);
        } else if (turn.token > 0) {
            first = new Block(turn.token + tokens - 1, first.askedNanos, first.tokensBefore);
        }
        won = true;
        lastToken = turn.token;
        handedNanos = schedule.nanos();
        unwantedSinceNanos = Long.MAX_VALUE;
    }

    private void handedTo(Turn turn) {
        schedule.count(turn.askedNanos < lock.lastEndedNanos() ? Count.HAND_OVERS : Count.LINGERED);
        if (contended && ++handOvers > MOST_HAND_OVERS) {
            schedule.broken(Promise.LOCAL_ORDER, turn + " is the " + handOvers + "th turn while another client waits");
        }
        if (!turn.isHeld() && client.isUpToDate()) {
            schedule.broken(Promise.SIGNALS, turn + " is handed over after its end");
        }
    }

    /** Returns whether, for at least this time, a majority of the nodes has had a request of another client queued behind this owner's vote. */
    private boolean isWaitedFor(long nanos) {
        if (!schedule.scenario().promises(Promise.FAIR)) {
            return false;
        }
        String id = client.holdfast().client() + "/";
        long seen = schedule.servers().stream()
                .map(server -> server.state(lock.name()))
                .filter(state -> state.holders().stream()
                        .anyMatch(holder -> holder.owner().startsWith(id + attempt + "/")))
                .filter(state -> state.waiters().stream()
                        .anyMatch(waiter -> waiter.mode().conflictsWith(mode)
                                && !waiter.owner().startsWith(id)))
                .count();
        boolean waitedFor = seen >= schedule.scenario().majority();
        waitedForSinceNanos = waitedFor ? Math.min(waitedForSinceNanos, schedule.nanos()) : Long.MAX_VALUE;
        return waitedFor && schedule.nanos() - waitedForSinceNanos >= nanos;
    }

    /**
     * Notes that a holder is notified of a lease at risk. A client that does not know of its freeze yet may hand over a lease, put its clock
     * forward, and find the lease at risk in the same moment.
     */
    void atRisk(Turn turn) {
        boolean handedOver = turn.token > first.last - tokens + 1;
        if (handedOver && handedNanos == schedule.nanos() && turn.grantedNanos == handedNanos && !client.isBehind()) {
            schedule.broken(Promise.SIGNALS, turn + " is handed over at risk");
        }
    }

    /** Returns the block of the turn's token, with the time of its request. */
    Block block(Turn turn) {
        if (turn.token <= first.last) {
            return first;
        }
        for (Block raise : raises) {
            if (turn.token <= raise.last) {
                return raise;
            }
        }
        schedule.broken(Promise.TOKENS_RISE, turn + " has a token that was never requested");
        return first;
    }

    /** Notes that the client now knows of another waiter. */
    void hearsOfAWaiter() {
        contended |= won;
    }

    /** Notes a waiter named in an answer to an extension; late answers to the attempt are ignored. */
    void hearsOfAWaiter(AcquireRequest request) {
        contended |= won && (request.heal() || isARaise(request.floor()));
    }

    private boolean isARaise(long floor) {
        return raises.stream().anyMatch(raise -> raise.last == floor);
    }

    /**
     * Notes a release. A lease is released at all nodes at the same moment. At any time, the attempt may repeat an earlier release at one
     * of the nodes, under an earlier id. A client that was frozen may release a lease before it notifies the worker of the acquisition.
     */
    void releases(int node, int round) {
        if (round >= rounds[node]) {
            releasedAt = releasedNanos == schedule.nanos() ? releasedAt | 1 << node : 1 << node;
            releasedNanos = schedule.nanos();
            released |= Integer.bitCount(releasedAt) == rounds.length;
        }
    }

    /** Notes that the lease is extended or raised, or that the attempt continues. */
    void asks(int node, AcquireRequest request) {
        rounds[node] = request.owner().round();
        if (!won) {
            releasedAt = 0;
            released = false;
        }
        if (!won || request.floor() == 0) {
            return;
        }
        if (!request.heal() || request.floor() > largestFence()) {
            raises(request.floor());
        } else if (released || !(isWanted() || lingers())) {
            schedule.broken(Promise.MANNERS, this + " is extended after its end");
        } else if (!isItsFence(request.floor())) {
            schedule.broken(Promise.MANNERS, this + " is extended with floor " + request.floor());
        }
    }

    private long largestFence() {
        return raises.isEmpty() ? first.last : raises.get(raises.size() - 1).last;
    }

    private void raises(long floor) {
        if (floor > largestFence()) {
            schedule.count(Count.RAISES);
            raises.add(new Block(floor, schedule.nanos(), lock.topTokens()));
        }
    }

    /**
     * Returns whether the fence belongs to the lease. The first turn may have ended before its token was seen, so the first block may end a
     * few tokens earlier than it seems.
     */
    private boolean isItsFence(long floor) {
        if (!firstIsExact && floor <= first.last && floor > first.last - tokens) {
            first = new Block(floor, first.askedNanos, first.tokensBefore);
            firstIsExact = true;
        }
        return floor >= lastToken && (floor == first.last || isARaise(floor));
    }

    // ---- its waiters

    boolean isWanted() {
        return lock.holding().stream().anyMatch(turn -> turn.owner == this)
                || lock.asking().stream().anyMatch(this::isWantedBy);
    }

    private boolean isWantedBy(Turn asking) {
        return asking.owner == this
                || (shared && asking.inLine && asking.client == client && client.shared(lock) == this);
    }

    private boolean lingers() {
        return shared && client.lingerMillis() > 0;
    }

    /** Returns for how long no turn has wanted the lease, by the checks so far. */
    long unwantedNanos() {
        long now = schedule.nanos();
        unwantedSinceNanos = isWanted() ? Long.MAX_VALUE : Math.min(unwantedSinceNanos, now);
        return Math.max(now - unwantedSinceNanos, 0);
    }

    /** Checks that an unused lease lingers no longer than requested, and not at all once other clients wait. */
    void checkLingering() {
        long margin = 20_000_000;
        long longest = client.lingerMillis() * 1_020_000 + margin;
        if (won && !released && client.isUpToDate()) {
            long nanos = unwantedNanos();
            if (nanos > longest) {
                schedule.broken(Promise.NOTHING_LEFT, this + " lingers for " + nanos + " ns");
            } else if (shared && nanos > margin && isWaitedFor(margin)) {
                schedule.broken(Promise.FAIR, this + " is idle though the nodes have another client waiting");
            } else if (contended && nanos > margin) {
                schedule.broken(Promise.LOCAL_ORDER, this + " lingers though another client waits");
            }
        }
    }

    @Override
    public String toString() {
        return client + "/" + attempt + " " + lock.name() + " " + mode + " token " + lastToken;
    }
}
