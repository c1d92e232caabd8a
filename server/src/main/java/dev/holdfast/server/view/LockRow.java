package dev.holdfast.server.view;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.node.OwnerId;
import dev.holdfast.server.lease.Owners;
import dev.holdfast.server.message.Json;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One lock of the {@link LockSnapshots}: the combined state of all nodes, as one row.
 *
 * @param lock the lock's name
 * @param state the state on a majority of nodes
 * @param holder the holder; if none is certain, the owner with the most votes; null if no owner has a vote
 * @param holders how many owners hold the lock, or nearly do
 * @param since the time since which the holder has held the lock; null if there is no holder
 * @param waiting how many waiters the queue has
 * @param waits the time since which the first waiter has waited; null if there is no waiter
 * @param votes the answer of each node, in the order of the nodes
 * @param kind the use of the lock
 * @param candidate the name of an election's leader; null if the lock is not an election's
 * @param holding the owners that hold the lock with a majority
 * @param queue the owners in the queue, in their order
 */
record LockRow(
        String lock,
        State state,
        LockStatus.@Nullable Holder holder,
        int holders,
        @Nullable Since since,
        int waiting,
        @Nullable Since waits,
        List<Vote> votes,
        LockKind kind,
        @Nullable String candidate,
        List<Party> holding,
        List<Party> queue) {

    /** The state of the lock on a majority of nodes. */
    enum State {
        /** The lock is held: a majority votes for one owner, or for several owners who share it. */
        HELD,
        /** The lock has waiters but no holder. */
        WAITED_FOR,
        /** There are votes, but none has a majority: an owner is about to acquire or lose the lock, or votes are left over. */
        UNDECIDED,
        /** The lock's work was declared done. */
        SEALED,
        /** The lock has no holder and no waiter. */
        FREE,
        /** No owner has a majority, and too few nodes answer and vote; the row is not certain. */
        UNKNOWN
    }

    /** The vote of one node. */
    enum Vote {
        /** The node votes for the shown holder, or for one that shares the lock with it. */
        FOR,
        /** The node votes for another owner. */
        OTHER,
        /** The node votes for no owner. */
        NONE,
        /** The node did not answer. */
        SILENT
    }

    /**
     * The time at which a state of an owner began.
     *
     * @param atMillis the time in ms of a wall clock, which is this server's clock if the time is exact
     * @param exact whether this server observed the start; otherwise the time is that of the owner's request by the owner's clock, and the state began later
     * @param party the owner in that state
     */
    record Since(long atMillis, boolean exact, Party party) {

        /** Returns the time for this owner; null if the owner is not a Holdfast client. */
        static @Nullable Since of(Party party, Owners owners) {
            Owners.Known known = owners.find(party.owner());
            if (known != null) {
                return new Since(known.sinceMillis(), true, party);
            }
            return OwnerId.parse(party.owner() + "/0")
                    .map(id -> new Since(id.attempt() / 1_000, false, party))
                    .orElse(null);
        }
    }

    /**
     * Returns the row for the answers of the nodes.
     *
     * @param votes selects the nodes whose missing vote for an owner counts; a node in quarantine does not count, since it may have lost its state
     */
    static LockRow of(LockStatus status, Owners owners, Predicate<String> votes) {
        List<LockStatus.Holder> holders = status.holders();
        LockStatus.Holder first = holders.stream()
                .min(Comparator.comparing((LockStatus.Holder one) -> !one.hasMajority())
                        .thenComparing(one -> -one.votes())
                        .thenComparing(LockStatus.Holder::owner))
                .orElse(null);
        List<LockStatus.Waiter> waiters = status.waiters();
        Since waits = waiters.stream()
                .map(waiter -> Since.of(Party.of(waiter), owners))
                .filter(since -> since != null)
                .min(Comparator.comparingLong(Since::atMillis))
                .orElse(null);
        return new LockRow(
                status.name(),
                state(status, first, votes),
                first,
                (int) holders.stream()
                        .filter(one -> one.hasMajority() || !anyHasMajority(first))
                        .count(),
                first == null ? null : Since.of(Party.of(first), owners),
                waiters.size(),
                waits,
                votes(status, first),
                LockKind.of(status),
                LockKind.candidate(status),
                holders.stream()
                        .filter(LockStatus.Holder::hasMajority)
                        .map(Party::of)
                        .toList(),
                waiters.stream().map(Party::of).toList());
    }

    private static boolean anyHasMajority(LockStatus.@Nullable Holder first) {
        return first != null && first.hasMajority();
    }

    private static State state(LockStatus status, LockStatus.@Nullable Holder first, Predicate<String> votes) {
        if (anyHasMajority(first)) {
            return State.HELD;
        }
        if (voting(status, votes) <= status.nodes().size() / 2) {
            return State.UNKNOWN;
        }
        if (first != null) {
            return State.UNDECIDED;
        }
        if (status.seal().isPresent()) {
            return State.SEALED;
        }
        return status.waiters().isEmpty() ? State.FREE : State.WAITED_FOR;
    }

    /** Returns how many nodes have answered and vote. */
    static int voting(LockStatus status, Predicate<String> votes) {
        return (int) status.nodes().stream()
                .filter(node -> node.state().isPresent() && votes.test(node.node()))
                .count();
    }

    private static List<Vote> votes(LockStatus status, LockStatus.@Nullable Holder shown) {
        return status.nodes().stream()
                .map(node ->
                        node.state().map(state -> vote(state.holders(), shown)).orElse(Vote.SILENT))
                .toList();
    }

    private static Vote vote(List<LockStatus.Vote> votes, LockStatus.@Nullable Holder shown) {
        if (votes.isEmpty() || shown == null) {
            return Vote.NONE;
        }
        boolean shares = votes.stream()
                .anyMatch(vote -> Owners.withoutRound(vote.owner()).equals(shown.owner())
                        || (shown.hasMajority() && vote.mode().isCompatibleWith(shown.mode())));
        return shares ? Vote.FOR : Vote.OTHER;
    }

    /** Returns whether the lower-case text is in the name of the lock or of its holder. */
    boolean contains(String text) {
        return text.isEmpty()
                || lower(lock).contains(text)
                || (holder != null
                        && (lower(holder.owner()).contains(text)
                                || lower(holder.name()).contains(text)));
    }

    private static String lower(String text) {
        return text.toLowerCase(java.util.Locale.ROOT);
    }

    /** Returns the row as JSON. */
    ObjectNode json(Owners owners) {
        ObjectNode json = Json.object();
        json.put("lock", lock).put("state", Json.word(state)).put("kind", Json.word(kind));
        json.put("candidate", candidate);
        LockStatus.Holder shown = holder;
        json.put("mode", shown == null ? null : shown.mode().name());
        json.put("owner", shown == null ? null : shown.owner());
        Party.put(json, shown == null ? null : Party.of(shown));
        Owners.Known known = shown == null ? null : owners.find(shown.owner());
        json.put("ttlMillis", known == null ? null : Long.valueOf(known.ttlMillis()));
        json.put("token", shown == null || shown.mode() == LockMode.NL ? null : Long.valueOf(shown.token()));
        json.put("remainingMillis", shown == null ? null : Json.millis(shown.remaining()));
        json.put("sinceMillis", since == null ? null : Long.valueOf(since.atMillis()));
        json.put("sinceExact", since != null && since.exact());
        json.put("holders", holders).put("waiting", waiting);
        ArrayNode strip = json.putArray("votes");
        votes.forEach(vote -> strip.add(Json.word(vote)));
        return json;
    }
}
