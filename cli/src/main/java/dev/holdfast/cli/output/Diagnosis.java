package dev.holdfast.cli.output;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.NodeStatus.State;
import dev.holdfast.lock.Persistence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A diagnosis of the nodes and the settings from the nodes' reports: the faults, and how an operator corrects them. It sends no requests. */
public final class Diagnosis {

    private static final Duration MOST_CLOCK_OFFSET = Duration.ofSeconds(1);
    private static final int ROUND_TRIPS_IN_A_TIMEOUT = 2;
    private static final Pattern REDIS_VERSION = Pattern.compile("redis (\\d+)\\.(\\d+).*");
    private static final String POSTGRESQL = "postgresql";
    private static final String HOLDFAST = "holdfast";
    private static final int OLDEST_MAJOR = 6;
    private static final int OLDEST_MINOR = 2;

    /** The weight of a finding. */
    public enum Severity {
        /** The node cannot be used, or locks may be lost. */
        PROBLEM,
        /** Something works worse than it could. */
        WARNING,
        /** Something to know, and nothing to change. */
        NOTE,
    }

    /**
     * One finding.
     *
     * @param node the node's name; null for a finding about all nodes
     * @param check the check in one word
     * @param found what was found
     * @param advice what to change; empty for a note
     */
    public record Finding(Severity severity, @Nullable String node, String check, String found, String advice) {

        String text() {
            String where = node == null ? "" : node + ": ";
            return severity.name().toLowerCase(Locale.ROOT) + ": " + where + found
                    + (advice.isEmpty() ? "" : "; " + advice);
        }
    }

    private final List<Finding> findings = new ArrayList<>();
    private final Duration ttl;
    private final Duration nodeTimeout;
    private final @Nullable String release;

    private Diagnosis(Duration ttl, Duration nodeTimeout, @Nullable String release) {
        this.ttl = ttl;
        this.nodeTimeout = nodeTimeout;
        this.release = release;
    }

    /**
     * Examines the nodes. The error of a node that grants no lock replaces a finding that says less.
     *
     * @param rounds the states of the nodes in several surveys, which show how the round trips vary; the last has the latest warnings
     * @param errors the errors of nodes that grant no lock
     * @param nodeTimeout the timeout of one request to a node at this ttl
     * @param release the version of this command line, which Holdfast servers should have too; null if not known
     */
    public static List<Finding> of(
            List<List<NodeStatus>> rounds,
            List<NodeReport> errors,
            Duration ttl,
            Duration nodeTimeout,
            @Nullable String release) {
        Diagnosis diagnosis = new Diagnosis(ttl, nodeTimeout, release);
        List<NodeStatus> latest = rounds.get(rounds.size() - 1);
        diagnosis.examineSet(report(latest, errors));
        for (int i = 0; i < latest.size(); i++) {
            int node = i;
            diagnosis.examine(
                    latest.get(i), rounds.stream().map(round -> round.get(node)).toList());
        }
        errors.forEach(diagnosis::addError);
        return diagnosis.findings;
    }

    /** Returns a report in which a node that grants no lock does not vote. */
    public static NodesReport report(List<NodeStatus> nodes, List<NodeReport> errors) {
        return new NodesReport(nodes, errors.stream().map(NodeReport::node).collect(Collectors.toSet()));
    }

    private void add(Severity severity, @Nullable NodeStatus node, String check, String found, String advice) {
        findings.add(new Finding(severity, node == null ? null : node.name(), check, found, advice));
    }

    private void examineSet(NodesReport report) {
        List<NodeStatus> nodes = report.nodes();
        if (!report.hasMajority()) {
            add(
                    Severity.PROBLEM,
                    null,
                    "majority",
                    report.voting() + " of " + nodes.size() + " nodes vote, and " + report.majority() + " are needed",
                    "no client can acquire a lock until more nodes vote");
        }
        if (nodes.size() == 1) {
            add(Severity.NOTE, null, "nodes", "one node: no lock can be acquired while it is down", "");
        } else if (nodes.size() % 2 == 0) {
            add(
                    Severity.WARNING,
                    null,
                    "nodes",
                    nodes.size() + " nodes tolerate only as many failures as " + (nodes.size() - 1),
                    "add a node, or remove one");
        }
    }

    private void examine(NodeStatus node, List<NodeStatus> rounds) {
        switch (node.state()) {
            case DOWN -> add(Severity.PROBLEM, node, "connection", "down", OptionNames.in(node.detail()));
            case REFUSED -> add(Severity.PROBLEM, node, "setup", "must not be used", OptionNames.in(node.detail()));
            case QUARANTINED ->
                add(
                        Severity.WARNING,
                        node,
                        "quarantine",
                        "its votes count in " + DurationText.of(node.quarantine()) + ", since it has restarted",
                        "wait, and restart one node at a time");
            case UP -> {}
        }
        if (node.state() == State.UP || node.state() == State.QUARANTINED) {
            examineVersion(node);
            examineClock(node);
            examineRoundTrip(node, rounds);
            node.server().warnings().forEach(warning -> examineWarning(node, warning));
            if (node.server().persistence() == Persistence.NONE) {
                add(
                        Severity.NOTE,
                        node,
                        "persistence",
                        "keeps nothing across a restart, so it is quarantined after one, and seals of work that is"
                                + " done are lost; "
                                + (isKind(node, HOLDFAST)
                                        ? "'serve --data DIR' keeps them"
                                        : "'appendonly yes' keeps them"),
                        "");
            }
        }
    }

    private static String version(NodeStatus node) {
        String version = node.server().version();
        return version == null ? "" : version;
    }

    private static boolean isKind(NodeStatus node, String kind) {
        return version(node).split(" ", 2)[0].equals(kind);
    }

    /** Checks the versions that the node itself accepts: it refuses a PostgreSQL that is too old. */
    private void examineVersion(NodeStatus node) {
        Matcher redis = REDIS_VERSION.matcher(version(node));
        if (redis.matches()) {
            int major = Integer.parseInt(redis.group(1));
            int minor = Integer.parseInt(redis.group(2));
            if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR)) {
                add(Severity.PROBLEM, node, "version", "runs " + version(node), "upgrade to Redis 6.2 or later");
            }
        } else if (release != null && isKind(node, HOLDFAST) && !version(node).equals(HOLDFAST + " " + release)) {
            add(
                    Severity.WARNING,
                    node,
                    "version",
                    "runs " + version(node) + ", and this is holdfast " + release,
                    "run the same version on the servers and here");
        }
    }

    private void examineClock(NodeStatus node) {
        Duration offset = node.server().clockOffset();
        if (offset != null && offset.abs().compareTo(MOST_CLOCK_OFFSET) > 0) {
            String direction = offset.isNegative() ? " behind" : " ahead of";
            add(
                    Severity.WARNING,
                    node,
                    "clock",
                    "its clock is " + DurationText.of(offset.abs()) + direction + " this machine's",
                    "synchronize the clocks (NTP)");
        }
    }

    private void examineRoundTrip(NodeStatus node, List<NodeStatus> rounds) {
        Duration slowest = Duration.ZERO;
        for (NodeStatus round : rounds) {
            Duration roundTrip = round.roundTrip();
            slowest = roundTrip != null && roundTrip.compareTo(slowest) > 0 ? roundTrip : slowest;
        }
        if (slowest.multipliedBy(ROUND_TRIPS_IN_A_TIMEOUT).compareTo(nodeTimeout) <= 0) {
            return;
        }
        Duration enough = slowest.multipliedBy(2L * ROUND_TRIPS_IN_A_TIMEOUT);
        add(
                slowest.compareTo(nodeTimeout) > 0 ? Severity.PROBLEM : Severity.WARNING,
                node,
                "latency",
                String.format(
                        Locale.ROOT,
                        "a round trip took %.1f ms, and requests time out after %s at a ttl of %s",
                        slowest.toNanos() / 1e6,
                        DurationText.of(nodeTimeout),
                        DurationText.of(ttl)),
                "use a longer ttl, or set --node-timeout to " + (enough.toMillis() + 1) + "ms or more");
    }

    private void examineWarning(NodeStatus node, String warning) {
        if (warning.startsWith("maxmemory-policy")) {
            add(
                    Severity.PROBLEM,
                    node,
                    "eviction",
                    warning,
                    "run CONFIG SET maxmemory-policy noeviction, and CONFIG REWRITE");
        } else if (warning.startsWith("the server has replicas")) {
            add(
                    Severity.WARNING,
                    node,
                    "replicas",
                    warning,
                    "use independent masters without failover, or name the sentinels");
        } else if (warning.startsWith("the server does not allow ") || warning.startsWith("the user lacks ")) {
            add(Severity.PROBLEM, node, "rights", warning, GRANT);
        } else if (isKind(node, POSTGRESQL)) {
            examineWarningOfDatabase(node, warning);
        } else {
            add(Severity.WARNING, node, "setup", warning, "see docs/guides/choose-a-setup.md");
        }
    }

    private void examineWarningOfDatabase(NodeStatus node, String warning) {
        if (warning.contains(" off: ")) {
            add(
                    Severity.WARNING,
                    node,
                    "persistence",
                    warning,
                    "set it to on in postgresql.conf, and reload; look for another value with ALTER ROLE or ALTER DATABASE too");
        } else if (warning.startsWith("synchronous_standby_names")) {
            add(Severity.WARNING, node, "replicas", warning, "name the standbys in synchronous_standby_names");
        } else {
            add(Severity.WARNING, node, "setup", warning, "see docs/guides/postgresql.md");
        }
    }

    // ---- what a trial shows

    /** A part of an error, and what to do about it. */
    private record Remedy(String part, String check, String advice) {}

    private static final String GRANT =
            "grant it with ACL SETUSER; docs/guides/operations.md lists the rights that are needed";

    private static final List<Remedy> REMEDIES = List.of(
            new Remedy("the user lacks a right", "rights", GRANT),
            new Remedy(
                    "has reached its maxmemory",
                    "memory",
                    "run CONFIG SET maxmemory with a larger value, and CONFIG REWRITE, or delete other keys"),
            new Remedy(
                    "has too few replicas",
                    "replicas",
                    "start its replicas, or run CONFIG SET min-replicas-to-write 0, and CONFIG REWRITE"),
            new Remedy("can't save to disk", "persistence", "make room on its disk; the server's log has the reason"));

    private void addError(NodeReport error) {
        findings.removeIf(
                known -> error.node().equals(known.node()) && error.detail().startsWith(known.found()));
        findings.add(ofError(error));
    }

    private static Finding ofError(NodeReport error) {
        Remedy remedy = REMEDIES.stream()
                .filter(known -> error.detail().contains(known.part))
                .findFirst()
                .orElse(new Remedy("", "acquire", "no client gets a vote of this node until this is corrected"));
        String found = "grants no lock: " + OptionNames.in(error.detail());
        return new Finding(Severity.PROBLEM, error.node(), remedy.check, found, remedy.advice);
    }

    /** Returns the finding of a node that cannot list its locks: this needs a right that locking does not need. */
    public static Finding unlisted(String problem) {
        return new Finding(
                Severity.WARNING,
                null,
                "rights",
                problem,
                "grant SCAN with ACL SETUSER, or do without 'holdfast list'");
    }

    // ---- output

    /** Returns whether there is nothing to change. */
    public static boolean isFine(List<Finding> findings) {
        return findings.stream().allMatch(finding -> finding.severity() == Severity.NOTE);
    }

    /** Returns one line for each finding, and a line that sums them up. */
    public static String text(List<Finding> findings, NodesReport report, Duration ttl) {
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(Printable.line(finding.text())).append('\n');
        }
        long changes = findings.stream()
                .filter(finding -> finding.severity() != Severity.NOTE)
                .count();
        return text.append(report.voting() + " of " + report.nodes().size() + " nodes vote, ttl " + DurationText.of(ttl)
                        + ": ")
                .append(
                        changes == 0
                                ? "nothing to change"
                                : changes == 1 ? "1 thing to change" : changes + " things to change")
                .append('\n')
                .toString();
    }

    /** Returns the findings as a JSON object on one line. */
    public static String json(List<Finding> findings, NodesReport report, Duration ttl) {
        return JsonText.object(json -> {
            json.field("ok", isFine(findings))
                    .field("hasMajority", report.hasMajority())
                    .field("majority", (long) report.majority())
                    .field("voting", report.voting())
                    .field("nodes", (long) report.nodes().size())
                    .field("ttlMillis", ttl.toMillis());
            json.objects(
                    "findings",
                    findings,
                    finding -> json.field("severity", finding.severity().name().toLowerCase(Locale.ROOT))
                            .field("node", finding.node())
                            .field("check", finding.check())
                            .field("found", finding.found())
                            .field("advice", finding.advice().isEmpty() ? null : finding.advice()));
        });
    }
}
