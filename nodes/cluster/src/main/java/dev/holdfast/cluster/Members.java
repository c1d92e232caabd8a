package dev.holdfast.cluster;

import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.entity.PeerId;
import dev.holdfast.cluster.ClusterStatus.Health;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The members of the cluster, as one server sees them: their state, and changes of them in all groups. Thread-safe.
 *
 * <p>To the engine, a member is an address and an identity. The identity belongs to its data, so messages for a member that has lost its data do not reach a
 * server that has started at the same address without them.
 *
 * <p>Only the leader of a group can change it. So a server asks the leaders of the groups that it does not lead, and any server accepts an order for a change.
 */
final class Members {

    /** The question to the leader of a group for a change of the group. */
    static final String CHANGE = "change";

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** How long the leader of a group may take for a change: it brings a new member up to date first. */
    private static final Duration CHANGE_PATIENCE = Duration.ofMinutes(1);

    private final ClusterConfig config;
    private final List<Group> groups;
    private final StatusReports reports;
    private final PeerTraffic traffic;

    /**
     * Creates the view.
     *
     * @param groups the groups of this server
     */
    Members(ClusterConfig config, List<Group> groups, StatusReports reports, PeerTraffic traffic) {
        this.config = config;
        this.groups = List.copyOf(groups);
        this.reports = reports;
        this.traffic = traffic;
    }

    static PeerId peer(String address, int identity) {
        return new PeerId(JRaftUtils.getPeerId(address).getEndpoint(), identity);
    }

    static String address(PeerId peer) {
        return peer.getEndpoint().toString();
    }

    /** Returns the present members of any group, as far as the logs of this server say. */
    List<PeerId> present() {
        return groups.stream()
                .flatMap(group -> group.present().stream())
                .distinct()
                .toList();
    }

    /** Returns whether a member has this address. */
    boolean has(String address) {
        return present().stream().anyMatch(peer -> address(peer).equals(address));
    }

    /** Returns the members with this name or address: several if a server has been replaced in some groups, and not yet in others. */
    private List<PeerId> members(String nameOrAddress) {
        return present().stream()
                .filter(peer -> reports.nameOf(peer).equals(nameOrAddress)
                        || address(peer).equals(nameOrAddress))
                .toList();
    }

    /** Returns one of these members. */
    private Optional<PeerId> member(String nameOrAddress) {
        return members(nameOrAddress).stream().findFirst();
    }

    /** Returns the state of all members. It asks each of them, and waits for a second for those that do not answer. */
    CompletableFuture<ClusterStatus> status() {
        return onWorker(() -> reports.of(present()));
    }

    /** Asks on a worker: the engine answers only after the write of a vote that is under way, and the caller may be the thread of all timers. */
    private <T> CompletableFuture<T> onWorker(Supplier<CompletableFuture<T>> question) {
        return CompletableFuture.supplyAsync(question, traffic.scheduler()::execute)
                .thenCompose(answer -> answer);
    }

    /** Returns the part that this server takes. It asks the leaders of the groups, or all members if it does not know the leaders. */
    CompletableFuture<OwnPart> ownPart() {
        return onWorker(this::askForOwnPart);
    }

    private CompletableFuture<OwnPart> askForOwnPart() {
        if (groups.stream().allMatch(Group::isJoining)) {
            return CompletableFuture.completedFuture(new OwnPart(
                    OwnPart.State.JOINING,
                    "server " + config.name()
                            + " is not a member of the cluster yet, and takes part once it is added"));
        }
        Optional<String> outside =
                groups.stream().flatMap(group -> group.outside().stream()).findFirst();
        if (outside.isPresent()) {
            return CompletableFuture.completedFuture(OwnPart.missing(outside.get()));
        }
        List<PeerId> leaders =
                groups.stream().flatMap(group -> group.leader().stream()).toList();
        List<PeerId> asked = leaders.size() < groups.size()
                ? present()
                : Stream.concat(Stream.of(groups.get(0).self()), leaders.stream())
                        .distinct()
                        .toList();
        return reports.of(asked).thenApply(this::ownPart);
    }

    private OwnPart ownPart(ClusterStatus status) {
        String problems = status.members().stream()
                .filter(member -> isSelf(member)
                        ? member.health() != Health.WELL
                        : !member.health().takesPart())
                .map(member -> "server " + member.name() + ": " + member.detail())
                .collect(Collectors.joining("; "));
        return problems.isEmpty()
                ? OwnPart.WHOLE
                : OwnPart.missing("server " + config.name() + " takes no full part in the cluster [" + problems + "]");
    }

    private boolean isSelf(ClusterStatus.Member member) {
        return member.address().equals(config.address()) && member.health() != Health.OTHER_DATA;
    }

    // ---- changes for operators

    /**
     * Adds a server that has started to join. Adding a member again changes nothing.
     *
     * @return completes with an empty text once the member has the logs and a majority of each group knows it, or with the reason for a failure
     */
    CompletableFuture<String> add(String name, String address) {
        ClusterConfig.check(name, address, config.options().tls() != null);
        return reports.ask(address, PATIENCE)
                .handle((answer, failure) -> answer == null
                        ? CompletableFuture.completedFuture("server " + name + " at " + address
                                + " does not answer. Start it as one that joins, and add it then.")
                        : add(name, address, answer))
                .thenCompose(added -> added);
    }

    private CompletableFuture<String> add(String name, String address, PeerMessage answer) {
        PeerId peer = peer(address, (int) answer.number("identity"));
        String problem = problemOf(name, peer, answer);
        if (!problem.isEmpty()) {
            return CompletableFuture.completedFuture(problem);
        }
        reports.learnName(address, name);
        return everywhere(Change.ADD, peer).thenApply(because("server " + name + " is not added"));
    }

    private String problemOf(String name, PeerId peer, PeerMessage answer) {
        String address = address(peer);
        if (!answer.get("cluster").equals(config.cluster())
                || !answer.get("name").equals(name)) {
            return "at " + address + " is server " + answer.get("name") + " of cluster " + answer.get("cluster")
                    + ", not server " + name + " of cluster " + config.cluster();
        }
        String its = answer.get(StatusReports.ADDRESS);
        if (!its.isEmpty() && !its.equals(address)) {
            return "server " + name + " has the address " + its + " in its own settings, not " + address;
        }
        String difference = Founding.differenceOf(answer, config);
        if (!difference.isEmpty()) {
            return difference;
        }
        for (PeerId member : present()) {
            boolean same =
                    address(member).equals(address) || reports.nameOf(member).equals(name);
            if (same && !member.equals(peer)) {
                return "server " + name + " is a member at " + address(member)
                        + " with other data. If it has lost its disk, remove it, and add it again.";
            }
        }
        return "";
    }

    /**
     * Removes a member, which need not run, with all data that it has had. Most of the others must take part: otherwise no server could lead after the change,
     * and no order could undo it.
     *
     * @param nameOrAddress its name; its address if this server has never heard from it
     * @return completes with an empty text once all groups go on without the member, or with the reason why it is not removed from one of them
     */
    CompletableFuture<String> remove(String nameOrAddress) {
        List<PeerId> removed = members(nameOrAddress);
        return removed.isEmpty()
                ? CompletableFuture.completedFuture(unknown(nameOrAddress))
                : status().thenApply(status -> lackWithout(nameOrAddress, status))
                        .thenCompose(lack -> lack.isEmpty()
                                ? oneByOne(removed, peer -> everywhere(Change.REMOVE, peer))
                                : CompletableFuture.completedFuture(lack))
                        .thenApply(because("server " + nameOrAddress + " is not removed"));
    }

    /** Returns why the other members could not go on without this one; an empty text if they can. */
    private static String lackWithout(String nameOrAddress, ClusterStatus status) {
        List<ClusterStatus.Member> others = status.members().stream()
                .filter(member -> !member.name().equals(nameOrAddress)
                        && !member.address().equals(nameOrAddress))
                .toList();
        List<String> missing = others.stream()
                .filter(member -> !member.health().takesPart())
                .map(ClusterStatus.Member::name)
                .toList();
        int needed = others.size() / 2 + 1;
        return others.isEmpty() || others.size() - missing.size() >= needed
                ? ""
                : "of the other " + others.size() + " servers, " + needed + " must take part, and these do not: "
                        + String.join(", ", missing) + "; start or remove them first";
    }

    /** Makes a member the leader of all groups. Completes with an empty text, or with the reason why another one still leads one of them. */
    CompletableFuture<String> transfer(String nameOrAddress) {
        return member(nameOrAddress)
                .map(peer -> everywhere(Change.LEAD, peer))
                .orElseGet(() -> CompletableFuture.completedFuture(unknown(nameOrAddress)));
    }

    /** Makes a member the leader of one group. Completes with an empty text, or with the reason why another one still leads it. */
    CompletableFuture<String> transfer(String nameOrAddress, int group) {
        return member(nameOrAddress)
                .map(peer -> at(groups.get(group), Change.LEAD, peer))
                .orElseGet(() -> CompletableFuture.completedFuture(unknown(nameOrAddress)));
    }

    private String unknown(String nameOrAddress) {
        List<String> known = present().stream().map(reports::nameOf).sorted().toList();
        return known.isEmpty()
                ? groups.get(0).refusal().orElse("server " + config.name() + " is not a member yet")
                : "there is no member " + nameOrAddress + "; the members are " + String.join(", ", known);
    }

    private static UnaryOperator<String> because(String failed) {
        return reason -> reason.isEmpty() ? "" : failed + ": " + reason;
    }

    // ---- changes of groups

    /** Changes all groups, until one cannot be changed. */
    private CompletableFuture<String> everywhere(Change change, PeerId peer) {
        return oneByOne(groups, group -> at(group, change, peer));
    }

    /** Makes changes one after the other, until one fails. */
    private static <T> CompletableFuture<String> oneByOne(
            List<T> parts, Function<T, CompletableFuture<String>> change) {
        CompletableFuture<String> result = CompletableFuture.completedFuture("");
        for (T part : parts) {
            result = result.thenCompose(
                    reason -> reason.isEmpty() ? change.apply(part) : CompletableFuture.completedFuture(reason));
        }
        return result;
    }

    private CompletableFuture<String> at(Group group, Change change, PeerId peer) {
        String title = group.title();
        return askLeader(group, change, peer)
                .thenApply(reason -> reason.isEmpty() || groups.size() == 1 || reason.contains(title)
                        ? reason
                        : title + ": " + reason);
    }

    /** Makes a change here if this server leads the group, and otherwise asks the server that does. */
    private CompletableFuture<String> askLeader(Group group, Change change, PeerId peer) {
        Optional<PeerId> leader = group.leader();
        if (leader.isEmpty() || leader.get().equals(group.self())) {
            return change.make(group, peer);
        }
        PeerMessage question = new PeerMessage(Map.of(
                "question",
                CHANGE,
                "cluster",
                config.cluster(),
                "group",
                "" + group.index(),
                CHANGE,
                change.name(),
                "peer",
                peer.toString(),
                "name",
                reports.nameOf(peer)));
        String server = "server " + reports.nameOf(leader.get()) + ", which leads " + group.title() + ", ";
        return traffic.ask(address(leader.get()), question, CHANGE_PATIENCE).handle((answer, failure) -> {
            if (answer == null) {
                return server + "does not answer";
            }
            if (answer.get(CHANGE).isEmpty()) {
                return server + "is of a release that changes nothing for other servers; ask that server";
            }
            return answer.get("problem");
        });
    }

    /** Answers another server that asks for a change of a group that this one leads. */
    CompletableFuture<PeerMessage> answer(PeerMessage question) {
        Optional<Change> change = Stream.of(Change.values())
                .filter(one -> one.name().equals(question.get(CHANGE)))
                .findFirst();
        long group = question.number("group");
        CompletableFuture<String> made;
        if (!question.get("cluster").equals(config.cluster()) || group < 0 || group >= groups.size()) {
            made = CompletableFuture.completedFuture("server " + config.name() + " has no such group");
        } else if (change.isEmpty()) {
            made = CompletableFuture.completedFuture(
                    "server " + config.name() + " is of a release without this change");
        } else {
            PeerId peer = JRaftUtils.getPeerId(question.get("peer"));
            reports.learnName(address(peer), question.get("name"));
            made = change.get().make(groups.get((int) group), peer);
        }
        return made.thenApply(problem -> new PeerMessage(Map.of(CHANGE, "answered", "problem", problem)));
    }
}
