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
            "the rights, it acquires and releases a shared lock named 'holdfast-doctor', and",
            "lists locks.",
            "",
            "Exits with 0 if there is nothing to change, 1 if there is, 69 if fewer nodes",
            "than a majority vote.",
        })
final class DoctorCommand extends NodeQuery {

    private static final String LOCK = "holdfast-doctor";
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
        return Client.ask(parent.settings().withTtl(ttl), this::ask);
    }

    @Override
    int ask(Holdfast holdfast) throws InterruptedException {
        Settings settings = parent.settings().withTtl(ttl);
        DistributedLock lock = holdfast.lock(LOCK).mode(LockMode.CR);
        List<String> problems = tryRights(holdfast, lock);
        List<List<NodeStatus>> rounds = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            rounds.add(holdfast.admin().nodes());
        }
        List<NodeStatus> nodes = rounds.get(ROUNDS - 1);
        List<Diagnosis.Finding> findings = new ArrayList<>(
                Diagnosis.of(rounds, lock.ttl(), timeout(settings, lock.ttl()), HoldfastCommand.Version.release()));
        problems.forEach(problem -> findings.add(Diagnosis.unlisted(problem)));
        Output.print(json ? Diagnosis.json(findings, nodes, lock.ttl()) : Diagnosis.text(findings, nodes, lock.ttl()));
        if (!new NodesReport(nodes).hasMajority()) {
            return ExitCode.NO_QUORUM;
        }
        return Diagnosis.isFine(findings) ? ExitCode.OK : ExitCode.TO_CHANGE;
    }

    /** Uses the nodes once as clients and operators do, so that they report the rights that are missing. Returns the nodes that cannot list locks. */
    private static List<String> tryRights(Holdfast holdfast, DistributedLock lock) throws InterruptedException {
        Acquisition acquisition = lock.tryAcquire();
        if (acquisition instanceof Acquisition.Held held) {
            held.lease().release();
        }
        LockListing listing = holdfast.admin().list(LOCK, 1);
        return listing.problems().stream()
                .filter(problem -> problem.contains("lacks a right"))
                .toList();
    }

    private static Duration timeout(Settings settings, Duration ttl) {
        Duration configured = settings.nodeOptions().timeout();
        long usual =
                Math.min(Math.max(ttl.toMillis() / TIMEOUTS_IN_A_TTL, SHORTEST_TIMEOUT_MILLIS), LONGEST_TIMEOUT_MILLIS);
        return configured != null ? configured : Duration.ofMillis(usual);
    }
}
