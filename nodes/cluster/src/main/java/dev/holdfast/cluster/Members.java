package dev.holdfast.cluster;

import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The members of the cluster, as one server sees them: their state, and changes of them. Thread-safe.
 *
 * <p>To the engine, a member is an address and an identity. The identity belongs to its data, so messages for a member that has lost its data do not reach a
 * server that has started at the same address without them.
 */
final class Members {

    private static final Duration STATUS_PATIENCE = Duration.ofSeconds(1);
    private static final Duration CHANGE_PATIENCE = Duration.ofSeconds(5);

    private final ClusterConfig config;
    private final PeerId self;
    private final StatusReports reports;
    private final LeadTransfer transfer;
    private final Supplier<@Nullable Node> node;

    /**
     * Creates the view.
     *
     * @param self the peer id of this server
     * @param node this server's node of the engine; null before it runs
     */
    Members(
            ClusterConfig config,
            PeerId self,
            StatusReports reports,
            LeadTransfer transfer,
            Supplier<@Nullable Node> node) {
        this.config = config;
        this.self = self;
        this.reports = reports;
        this.transfer = transfer;
        this.node = node;
    }

    static PeerId peer(String address, int identity) {
        return new PeerId(JRaftUtils.getPeerId(address).getEndpoint(), identity);
    }

    static String address(PeerId peer) {
        return peer.getEndpoint().toString();
    }

    /** Returns the present members, as far as the log of this server says. */
    List<PeerId> present() {
        Configuration present = node.get() instanceof NodeImpl running ? running.getCurrentConf() : null;
        return present == null ? List.of() : present.listPeers();
    }

    /** Returns whether a member has this address. */
    boolean has(String address) {
        return present().stream().anyMatch(peer -> address(peer).equals(address));
    }

    /** Returns the member with this name or address. */
    private Optional<PeerId> member(String nameOrAddress) {
        return present().stream()
                .filter(peer -> reports.nameOf(peer).equals(nameOrAddress)
                        || address(peer).equals(nameOrAddress))
                .findFirst();
    }

    /** Returns the state of all members. It asks each of them, and waits for a second for those that do not answer. */
    CompletableFuture<ClusterStatus> status() {
        return reports.of(present());
    }

    // ---- changes, which the leader makes

    /**
     * Adds a server that has started to join.
     *
     * @return completes with an empty text once a majority knows the member and the member has the log, or with the reason why it is not added
     */
    CompletableFuture<String> add(String name, String address) {
        Node leader = node.get();
        if (leader == null || !leader.isLeader()) {
            return CompletableFuture.completedFuture(notLeading());
        }
        ClusterConfig.check(name, address, config.options().tls() != null);
        return reports.ask(address, CHANGE_PATIENCE)
                .handle((answer, failure) -> answer == null
                        ? CompletableFuture.completedFuture("server " + name + " at " + address
                                + " does not answer. Start it as one that joins, and add it then.")
                        : add(leader, name, address, answer))
                .thenCompose(added -> added);
    }

    private CompletableFuture<String> add(Node leader, String name, String address, PeerMessage answer) {
        String problem = problemOf(name, address, answer);
        if (!problem.isEmpty()) {
            return CompletableFuture.completedFuture(problem);
        }
        reports.learnName(address, name);
        CompletableFuture<String> done = new CompletableFuture<>();
        PeerId peer = peer(address, (int) answer.number("identity"));
        change(done, "server " + name + " is not added", () -> leader.addPeer(peer, status -> end(done, status)));
        return done;
    }

    private String problemOf(String name, String address, PeerMessage answer) {
        if (!answer.get("cluster").equals(config.cluster())
                || !answer.get("name").equals(name)) {
            return "at " + address + " is server " + answer.get("name") + " of cluster " + answer.get("cluster")
                    + ", not server " + name + " of cluster " + config.cluster();
        }
        for (PeerId member : present()) {
            boolean sameAddress = address(member).equals(address);
            if (sameAddress && member.getIdx() == answer.number("identity")) {
                return "server " + name + " is a member already";
            }
            if (sameAddress || reports.nameOf(member).equals(name)) {
                return "server " + name + " is a member at " + address(member)
                        + " with other data. If it has lost its disk, remove it, and add it again.";
            }
        }
        return "";
    }

    /**
     * Removes a member, which need not run.
     *
     * @param nameOrAddress its name; its address if this server has never heard from it
     * @return completes with an empty text once the cluster goes on without the member, or with the reason why it is not removed
     */
    CompletableFuture<String> remove(String nameOrAddress) {
        Node leader = node.get();
        Optional<PeerId> peer = member(nameOrAddress);
        if (leader == null || !leader.isLeader()) {
            return CompletableFuture.completedFuture(notLeading());
        }
        if (peer.isEmpty()) {
            return CompletableFuture.completedFuture(unknown(nameOrAddress));
        }
        if (present().size() == 1) {
            return CompletableFuture.completedFuture("server " + nameOrAddress + " is the only member");
        }
        CompletableFuture<String> done = new CompletableFuture<>();
        change(
                done,
                "server " + nameOrAddress + " is not removed",
                () -> leader.removePeer(peer.get(), status -> end(done, status)));
        return done;
    }

    /** Runs a change of the engine, which throws if another one was faster. */
    private static void change(CompletableFuture<String> done, String failed, Runnable change) {
        try {
            change.run();
        } catch (IllegalArgumentException | IllegalStateException e) {
            done.complete(failed + ": " + e.getMessage());
        }
    }

    private static void end(CompletableFuture<String> done, Status status) {
        if (status.isOk()) {
            done.complete("");
        } else if (status.getRaftError() == RaftError.EBUSY) {
            done.complete("another change of the members is under way; try again when it has ended");
        } else if (status.getRaftError() == RaftError.ECATCHUP) {
            done.complete("the server could not be brought up to date, and is not a member: does it run?");
        } else {
            done.complete("the change may not have been made: " + status.getErrorMsg());
        }
    }

    private String unknown(String nameOrAddress) {
        List<String> known = present().stream().map(reports::nameOf).sorted().toList();
        return "there is no member " + nameOrAddress + "; the members are " + String.join(", ", known);
    }

    private String notLeading() {
        Node running = node.get();
        PeerId leader = running == null ? null : running.getLeaderId();
        return leader == null || leader.equals(self)
                ? "the cluster has no leader that server " + config.name() + " knows"
                : "server " + reports.nameOf(leader) + " leads, and this is server " + config.name();
    }

    // ---- the lead

    /** Makes another member the leader. Completes with an empty text, or with the reason why this server still leads. */
    CompletableFuture<String> transfer(String nameOrAddress) {
        Node leader = node.get();
        Optional<PeerId> peer = member(nameOrAddress);
        if (leader == null || !leader.isLeader()) {
            return CompletableFuture.completedFuture(notLeading());
        }
        if (peer.isEmpty()) {
            return CompletableFuture.completedFuture(unknown(nameOrAddress));
        }
        if (peer.get().equals(self)) {
            return CompletableFuture.completedFuture("");
        }
        return transfer.to(leader, peer.get());
    }

    /**
     * Makes another member the leader before this server stops: the one with the most log of those that answer now. Returns at once if this server does not
     * lead, and waits no longer than two election timeouts for each member that answers.
     */
    void handOver() {
        Node leader = node.get();
        if (leader == null || !leader.isLeader()) {
            return;
        }
        Map<PeerId, CompletableFuture<PeerMessage>> asked = new ConcurrentHashMap<>();
        present().stream()
                .filter(peer -> !peer.equals(self))
                .forEach(peer -> asked.put(peer, reports.ask(address(peer), STATUS_PATIENCE)));
        Map<PeerId, Long> positions = new ConcurrentHashMap<>();
        asked.forEach((peer, answer) -> {
            try {
                if (answer.join().number("identity") == peer.getIdx()) {
                    positions.put(peer, answer.join().number("last"));
                }
            } catch (CompletionException e) {
                // it does not answer, so it cannot take over
            }
        });
        List<PeerId> best = new ArrayList<>(positions.keySet());
        best.sort(Comparator.comparing(positions::get).reversed());
        transfer.toFirstOf(best, leader, config.options().electionTimeout().multipliedBy(2));
    }
}
