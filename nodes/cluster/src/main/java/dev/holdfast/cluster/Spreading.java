package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.entity.PeerId;
import dev.holdfast.cluster.ClusterStatus.Health;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The spreading of the leads over the servers. A server that leads at least two groups more than another one transfers one of them to it, and then
 * looks again. So the numbers of leads end no more than one apart, and then nothing moves. Thread-safe.
 *
 * <p>It only transfers to members that answer, and have nearly all of the group's log. It makes one transfer at a time.
 */
final class Spreading {

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** The random part of the period, so that two servers seldom act at the same time on what both have seen. */
    private static final long JITTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<Group> groups;
    private final StatusReports reports;
    private final Timing timing;
    private @Nullable Timer next;
    private boolean ended;

    /** A transfer of the lead of a group. */
    record Move(int group, PeerId to) {}

    /**
     * Creates the procedure without starting it.
     *
     * @param groups the groups of this server
     */
    Spreading(List<Group> groups, StatusReports reports, Timing timing) {
        this.groups = List.copyOf(groups);
        this.reports = reports;
        this.timing = timing;
    }

    /** Begins to look every few seconds, unless there is one group. */
    synchronized void begin() {
        if (groups.size() > 1 && !ended) {
            long nanos = PERIOD_NANOS + timing.random().nextLong(JITTER_NANOS);
            next = timing.scheduler().schedule(nanos, () -> timing.scheduler().execute(this::look));
        }
    }

    /** Ends it. A transfer that is under way goes on. */
    synchronized void end() {
        ended = true;
        if (next != null) {
            next.cancel();
        }
    }

    private synchronized boolean goesOn() {
        return !ended;
    }

    private void look() {
        List<Group> led = groups.stream().filter(Group::leads).toList();
        if (!goesOn() || led.size() < 2) {
            begin();
            return;
        }
        ask(led).thenCompose(answers -> move(led, answers)).whenComplete((moved, failure) -> begin());
    }

    /** Asks all other members of these groups. Completes with the answers of those that answer. */
    private CompletableFuture<Map<PeerId, PeerMessage>> ask(List<Group> led) {
        Map<PeerId, PeerMessage> answers = Collections.synchronizedMap(new HashMap<>());
        List<CompletableFuture<?>> asked = new ArrayList<>();
        led.stream()
                .flatMap(group -> group.present().stream())
                .distinct()
                .filter(peer -> !peer.equals(led.get(0).self()))
                .forEach(peer -> asked.add(reports.ask(peer)
                        .thenAccept(answer -> answers.put(peer, answer))
                        .exceptionally(failure -> null))); // it does not answer, so it gets no lead
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(all -> answers);
    }

    private CompletableFuture<String> move(List<Group> led, Map<PeerId, PeerMessage> answers) {
        Map<PeerId, Integer> leads = new HashMap<>();
        answers.forEach((peer, answer) -> leads.put(peer, (int) groups.stream()
                .filter(group -> StatusReports.leads(group.part(answer)))
                .count()));
        Map<Integer, List<PeerId>> candidates = new HashMap<>();
        led.forEach(group -> candidates.put(group.index(), candidates(group, answers)));
        Optional<Move> move = goesOn() ? choose(candidates, leads) : Optional.empty();
        return move.map(one -> Change.LEAD.make(groups.get(one.group()), one.to()))
                .orElseGet(() -> CompletableFuture.completedFuture(""));
    }

    /** Returns the members that could lead a group now, in its order of preference. */
    private List<PeerId> candidates(Group group, Map<PeerId, PeerMessage> answers) {
        return preferred(group.present(), group.index()).stream()
                .filter(peer -> {
                    PeerMessage answer = answers.get(peer);
                    return answer != null && canLead(group, peer, answer);
                })
                .toList();
    }

    private boolean canLead(Group group, PeerId peer, PeerMessage answer) {
        Node node = group.node();
        long last = node == null ? 0 : node.getLastLogIndex();
        GroupReport report = GroupReport.of(group.index(), group.part(answer), OptionalLong.of(last));
        return report.health() == Health.WELL
                && answer.number("identity") == peer.getIdx()
                && !answer.get(StatusReports.LEAVES).equals("true");
    }

    /** Returns the members by their addresses, beginning at another one for each group. */
    static List<PeerId> preferred(List<PeerId> members, int group) {
        List<PeerId> order = new ArrayList<>(members);
        order.sort((one, other) -> one.toString().compareTo(other.toString()));
        Collections.rotate(order, order.isEmpty() ? 0 : -(group % order.size()));
        return order;
    }

    /**
     * Returns the transfer that brings the numbers of leads closer to each other: to the member with the fewest leads, and of a group that prefers this
     * member.
     *
     * @param candidates the members that could lead each group that this server leads, in the group's order of preference
     * @param leads how many groups each of these members leads
     * @return empty if no member leads at least two groups fewer than this server
     */
    static Optional<Move> choose(Map<Integer, List<PeerId>> candidates, Map<PeerId, Integer> leads) {
        Move best = null;
        int fewest = candidates.size() - 1;
        int rank = Integer.MAX_VALUE;
        for (Map.Entry<Integer, List<PeerId>> group : candidates.entrySet()) {
            for (PeerId peer : group.getValue()) {
                int its = leads.getOrDefault(peer, 0);
                int place = group.getValue().indexOf(peer);
                if (its < fewest || (its == fewest && best != null && place < rank)) {
                    best = new Move(group.getKey(), peer);
                    fewest = its;
                    rank = place;
                }
            }
        }
        return Optional.ofNullable(best);
    }
}
