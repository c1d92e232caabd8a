package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.entity.PeerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The hand-over of all leads of a server before it stops. Not thread-safe. */
final class HandOver {

    private final List<Group> groups;
    private final StatusReports reports;
    private final Duration longest;
    private final Map<PeerId, PeerMessage> answers = new HashMap<>();
    private final Map<PeerId, Long> leads = new HashMap<>();

    /**
     * Creates a hand-over.
     *
     * @param groups the groups of this server
     * @param longest how long to wait for each server that could take over a group
     */
    HandOver(List<Group> groups, StatusReports reports, Duration longest) {
        this.groups = groups;
        this.reports = reports;
        this.longest = longest;
    }

    /**
     * Gives each lead to a member that answers now. It prefers members that clients can reach; of these, the one with the most log; of several ones, that with
     * the fewest leads. Returns at once if this server leads nothing.
     */
    void run() {
        List<Group> led = groups.stream().filter(Group::isLeader).toList();
        if (led.isEmpty()) {
            return;
        }
        ask(led);
        led.forEach(this::handOver);
    }

    private void ask(List<Group> led) {
        Map<PeerId, CompletableFuture<PeerMessage>> asked = new HashMap<>();
        led.forEach(group -> group.present().stream()
                .filter(peer -> !peer.equals(group.self()))
                .forEach(peer -> asked.computeIfAbsent(peer, reports::ask)));
        asked.forEach((peer, answer) -> {
            try {
                if (answer.join().number("identity") == peer.getIdx()) {
                    answers.put(peer, answer.join());
                    leads.put(peer, leadsOf(answer.join()));
                }
            } catch (CompletionException e) {
                // it does not answer, so it cannot take over
            }
        });
    }

    private long leadsOf(PeerMessage answer) {
        return groups.stream()
                .filter(group -> StatusReports.leads(group.part(answer)))
                .count();
    }

    private void handOver(Group group) {
        Node node = group.node();
        if (node == null) {
            return;
        }
        List<PeerId> best = new ArrayList<>(answers.keySet());
        best.retainAll(group.present());
        best.sort(Comparator.comparing(this::leaves)
                .thenComparing(peer -> last(peer, group), Comparator.reverseOrder())
                .thenComparing(peer -> leads.getOrDefault(peer, 0L)));
        group.transfer().toFirstOf(best, node, longest);
        group.leader().ifPresent(leader -> leads.merge(leader, 1L, Long::sum));
    }

    /** Returns whether a member stops soon, or clients cannot reach it yet. */
    private boolean leaves(PeerId peer) {
        PeerMessage answer = answers.get(peer);
        return answer == null || answer.get(StatusReports.LEAVES).equals("true");
    }

    private long last(PeerId peer, Group group) {
        PeerMessage answer = answers.get(peer);
        return answer == null ? 0 : group.part(answer).number("last");
    }
}
