package dev.holdfast.cli.command;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.output.Diagnosis;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.NodesReport;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.settings.DurationConverter;
import dev.holdfast.cli.settings.Settings;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.LockListing;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.NodeStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code doctor}. */
@Command(
        name = "doctor",
        description = "Check the nodes and the settings, and print what to change.",
        sortOptions = false,
        footer = {
            "",
            "Checks each node's version, persistence, eviction policy, replicas, clock,",
            "rights, latency and quarantine, and the ttl against the round trips. To check",
            "the rights, it acquires and releases a shared lock named 'holdfast-doctor',",
            "and at each node alone an exclusive one, 'holdfast-doctor:node'. It also lists",
            "locks. The nodes remember the fences of these two names for a day.",
            "",
            "Exits with 0 if there is nothing to change, 1 if there is, 69 if fewer nodes",
            "than a majority vote. A node that grants no lock does not vote.",
        })
final class DoctorCommand extends NodeQuery {

    private static final String LOCK = "holdfast-doctor";

    /** The name of every run, since a node remembers each name for a day. */
    private static final String LOCK_OF_A_NODE = LOCK + ":node";

    private static final int ROUNDS = 5;
    private static final long SHORTEST_TIMEOUT_MILLIS = 5;
    private static final long LONGEST_TIMEOUT_MILLIS = 500;
    private static final int TIMEOUTS_IN_A_TTL = 20;

    @Option(
            names = "--ttl",
            paramLabel = "DUR",
            converter = DurationConverter.class,
            description = "The ttl of your locks (default: 30s).")
    @Nullable
    Duration ttl;

    @Override
    public Integer call() throws InterruptedException {
        return Client.examine(parent.settings().withTtl(ttl), this::ask);
    }

    @Override
    int ask(Holdfast holdfast) throws InterruptedException {
        Settings settings = parent.settings().withTtl(ttl);
        DistributedLock lock = holdfast.lock(LOCK).mode(LockMode.CR);
        tryRights(lock);
        List<List<NodeStatus>> rounds = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            rounds.add(holdfast.admin().nodes());
        }
        List<NodeStatus> nodes = rounds.get(ROUNDS - 1);
        List<NodeReport> errors = errors(settings, nodes);
        NodesReport report = Diagnosis.report(nodes, errors);
        List<Diagnosis.Finding> findings = Diagnosis.of(
                rounds, errors, lock.ttl(), timeout(settings, lock.ttl()), HoldfastCommand.Version.release());
        unlisted(holdfast, nodes).forEach(problem -> findings.add(Diagnosis.unlisted(problem)));
        Output.print(
                json ? Diagnosis.json(findings, report, lock.ttl()) : Diagnosis.text(findings, report, lock.ttl()));
        if (!report.hasMajority()) {
            return ExitCode.NO_QUORUM;
        }
        return Diagnosis.isFine(findings) ? ExitCode.OK : ExitCode.TO_CHANGE;
    }

    /** Uses the nodes once as clients do, so that they report the rights that are missing. */
    private static void tryRights(DistributedLock lock) throws InterruptedException {
        lock.tryAcquire().close();
    }

    /**
     * Acquires and releases a lock at each node alone, since a majority hides the errors of the other nodes. The lock is exclusive: its first write needs
     * memory, so a full Redis rejects it, while it may grant a shared lock that it knows. Returns the errors.
     */
    private static List<NodeReport> errors(Settings settings, List<NodeStatus> nodes) throws InterruptedException {
        List<NodeReport> errors = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++) {
            if (!NodesReport.answers(nodes.get(node))) {
                continue;
            }
            try (Holdfast alone = settings.openNode(node)) {
                Client.awaitAll(alone);
                try (Acquisition acquisition = alone.lock(LOCK_OF_A_NODE).tryAcquire()) {
                    if (acquisition instanceof Acquisition.Refused refused) {
                        refused.refusal().nodes().stream()
                                .filter(report -> report.kind() == NodeReport.Kind.ERROR)
                                .forEach(errors::add);
                    }
                }
            }
        }
        return errors;
    }

    /** Lists locks as operators do. Returns the problems of the nodes that answer other requests and cannot list. */
    private static List<String> unlisted(Holdfast holdfast, List<NodeStatus> nodes) throws InterruptedException {
        LockListing listing = holdfast.admin().list(LOCK, 1);
        return listing.problems().stream()
                .filter(problem -> problem.contains("lacks a right"))
                .filter(problem -> nodes.stream()
                        .noneMatch(node -> !NodesReport.answers(node) && problem.startsWith(node.name() + ":")))
                .toList();
    }

    private static Duration timeout(Settings settings, Duration ttl) {
        Duration configured = settings.nodeOptions().timeout();
        long usual =
                Math.min(Math.max(ttl.toMillis() / TIMEOUTS_IN_A_TTL, SHORTEST_TIMEOUT_MILLIS), LONGEST_TIMEOUT_MILLIS);
        return configured != null ? configured : Duration.ofMillis(usual);
    }
}
