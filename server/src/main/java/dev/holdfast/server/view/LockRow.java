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
 * One lock of the {@link LockSnapshots}: what the nodes say of it together, in a line.
 *
 * @param lock its name
 * @param state what is certain of it
 * @param holder who holds it; if nobody is certain to, whoever has most votes; null if nobody has any
 * @param holders how many hold it, or nearly do
 * @param since since when the holder has it; null if there is none
 * @param waiting how many stand in line
 * @param waits since when the first of those waits; null if nobody does
 * @param votes what each node says, in the order of the nodes
 */
record LockRow(
        String lock,
        State state,
        LockStatus.@Nullable Holder holder,
        int holders,
        @Nullable Since since,
        int waiting,
        @Nullable Since waits,
        List<Vote> votes) {

    /** What a majority of nodes says. */
    enum State {
        /** Somebody holds it: a majority votes for one owner, or for several who share it. */
        HELD,
        /** Nobody holds it, and somebody stands in line. */
        WAITED_FOR,
        /** There are votes, but none has a majority: somebody is about to get it or to lose it, or votes are left over. */
        UNDECIDED,
        /** Its work was declared done. */
        SEALED,
        /** Nobody has it, and nobody wants it. */
        FREE,
        /** Nobody has a majority, and fewer nodes than one answered and vote: whatever is shown is not certain. */
        UNKNOWN
    }

    /** What one node says. */
    enum Vote {
        /** It votes for the holder that is shown, or for one that shares with it. */
        FOR,
        /** It votes for another. */
        OTHER,
        /** It votes for nobody. */
        NONE,
        /** It did not answer. */
        SILENT
    }

    /**
     * A moment in which something began.
     *
     * @param atMillis by a wall clock: this server's, if it is known exactly
     * @param exact whether this server saw it begin; otherwise it is when the owner asked for the lock, by its own clock, so it began later
     * @param owner whose it is
     */
    record Since(long atMillis, boolean exact, String owner) {

        /** Null for who is not a Holdfast client. */
        static @Nullable Since of(String owner, Owners owners) {
            Owners.Known known = owners.find(Owners.withoutRound(owner));
            if (known != null) {
                return new Since(known.sinceMillis(), true, known.owner());
            }
            return OwnerId.parse(owner.indexOf('/') == owner.lastIndexOf('/') ? owner + "/0" : owner)
                    .map(id -> new Since(id.attempt() / 1_000, false, id.withoutRound()))
                    .orElse(null);
        }
    }

    /**
     * What the nodes have said.
     *
     * @param votes whether a node's silence about an owner counts: that of one in quarantine does not, since it may have forgotten
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
                .map(waiter -> Since.of(waiter.owner(), owners))
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
                first == null ? null : Since.of(first.owner(), owners),
                waiters.size(),
                waits,
                votes(status, first));
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

    /** How many nodes have answered, and vote. */
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

    /** Whether the text, in small letters, is in its name or its holder's. */
    boolean contains(String text, Owners owners) {
        if (text.isEmpty() || lower(lock).contains(text)) {
            return true;
        }
        if (holder == null) {
            return false;
        }
        Owners.Known known = owners.find(holder.owner());
        return lower(holder.owner()).contains(text)
                || (known != null
                        && (lower(known.client()).contains(text)
                                || (known.label() != null
                                        && lower(known.label()).contains(text))));
    }

    private static String lower(String text) {
        return text.toLowerCase(java.util.Locale.ROOT);
    }

    /** As it is told. */
    ObjectNode json(Owners owners) {
        ObjectNode json = Json.object();
        json.put("lock", lock).put("state", Json.word(state));
        LockStatus.Holder shown = holder;
        json.put("mode", shown == null ? null : shown.mode().name());
        json.put("owner", shown == null ? null : shown.owner());
        Owners.Known known = shown == null ? null : owners.find(shown.owner());
        json.put("client", known == null ? null : known.client());
        json.put("label", known == null ? null : known.label());
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
