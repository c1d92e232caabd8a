package dev.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.output.Diagnosis.Finding;
import dev.holdfast.cli.output.Diagnosis.Severity;
import dev.holdfast.lock.NodeReport;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.lock.NodeStatus.State;
import dev.holdfast.lock.Persistence;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiagnosisTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private static NodeStatus node(String version, Duration roundTrip, Duration clock, String... warnings) {
        return new NodeStatus(
                "redis://a:1",
                State.UP,
                "",
                roundTrip,
                Duration.ZERO,
                new NodeStatus.Server("id", version, Duration.ofDays(1), clock, Persistence.ALL, List.of(warnings)));
    }

    private static NodeStatus fine() {
        return node("redis 7.2.4", Duration.ofMillis(1), Duration.ofMillis(3));
    }

    private static NodeStatus named(String name) {
        NodeStatus fine = fine();
        return new NodeStatus(name, fine.state(), "", fine.roundTrip(), fine.quarantine(), fine.server());
    }

    private static List<Finding> of(NodeStatus... nodes) {
        return of(List.of(), nodes);
    }

    private static List<Finding> of(List<NodeReport> errors, NodeStatus... nodes) {
        return Diagnosis.of(List.of(List.of(nodes)), errors, TTL, TIMEOUT, "0.2.0");
    }

    @Test
    void thereIsNothingToChangeAtThreeGoodNodes() {
        List<Finding> findings = of(fine(), fine(), fine());

        assertThat(findings).isEmpty();
        assertThat(Diagnosis.isFine(findings)).isTrue();
        assertThat(Diagnosis.text(findings, new NodesReport(List.of(fine(), fine(), fine())), TTL))
                .isEqualTo("3 of 3 nodes vote, ttl 30 s: nothing to change\n");
    }

    @ParameterizedTest
    @CsvSource({
        "maxmemory-policy is allkeys-lru, eviction, PROBLEM, noeviction",
        "the server has replicas; if one takes its place, replicas, WARNING, independent masters",
        "the user lacks a right at the server, rights, PROBLEM, ACL SETUSER",
        "the server does not allow PUBLISH to x, rights, PROBLEM, ACL SETUSER",
        "something else, setup, WARNING, choose-a-setup",
    })
    void aWarningOfANodeHasAdvice(String warning, String check, Severity severity, String advice) {
        assertThat(of(node("redis 7.2.4", Duration.ofMillis(1), Duration.ZERO, warning), fine(), fine()))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.check()).isEqualTo(check);
                    assertThat(finding.severity()).isEqualTo(severity);
                    assertThat(finding.advice()).contains(advice);
                    assertThat(finding.node()).isEqualTo("redis://a:1");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "'synchronous_commit, fsync off: a crash may lose votes', persistence, set it to on",
        "'synchronous_standby_names is empty, and the server has standbys', replicas, name the standbys",
        "the connection leads through a pooler such as PgBouncer, setup, postgresql.md",
        "the server's queue of notifications is nearly full, setup, postgresql.md",
    })
    void aWarningOfADatabaseHasItsOwnAdvice(String warning, String check, String advice) {
        assertThat(of(node("postgresql 15.18", Duration.ofMillis(1), Duration.ZERO, warning), fine(), fine()))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.check()).isEqualTo(check);
                    assertThat(finding.advice()).contains(advice).doesNotContain("ACL", "appendonly");
                });
    }

    @Test
    void aHoldfastServerOfAnotherVersionIsFound() {
        assertThat(of(node("holdfast 0.1.0", Duration.ofMillis(1), Duration.ZERO), fine(), fine()))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.check()).isEqualTo("version");
                    assertThat(finding.found()).isEqualTo("runs holdfast 0.1.0, and this is holdfast 0.2.0");
                });
        assertThat(of(
                        node("holdfast 0.2.0", Duration.ofMillis(1), Duration.ZERO),
                        node("valkey 8.0.1", Duration.ofMillis(1), Duration.ZERO),
                        node("postgresql 18.1", Duration.ofMillis(1), Duration.ZERO)))
                .isEmpty();
    }

    @Test
    void oldVersionsWrongClocksAndSlowNodesAreFound() {
        assertThat(of(node("redis 5.0.9", Duration.ofMillis(1), Duration.ZERO), fine(), fine()))
                .extracting(Finding::check)
                .containsExactly("version");
        assertThat(of(node("redis 6.2.0", Duration.ofMillis(1), Duration.ZERO), fine(), fine()))
                .isEmpty();
        assertThat(of(node("redis 7.2.4", Duration.ofMillis(1), Duration.ofSeconds(-5)), fine(), fine()))
                .singleElement()
                .satisfies(finding -> assertThat(finding.found()).contains("5 s behind this machine's"));
        assertThat(of(node("redis 7.2.4", Duration.ofMillis(300), Duration.ZERO), fine(), fine()))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.check()).isEqualTo("latency");
                    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
                    assertThat(finding.advice()).contains("--node-timeout to 1201ms or more");
                });
    }

    @Test
    void theSlowestRoundTripCounts() {
        NodeStatus slow = node("redis 7.2.4", Duration.ofMillis(600), Duration.ZERO);
        assertThat(Diagnosis.of(List.of(List.of(slow), List.of(fine())), List.of(), TTL, TIMEOUT, "0.2.0"))
                .filteredOn(finding -> finding.check().equals("latency"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.PROBLEM));
    }

    @Test
    void aMissingMajorityAndAnEvenNumberAreFound() {
        NodeStatus down = NodeStatus.unreachable("redis://b:1", State.DOWN, "connection refused");
        List<Finding> findings = of(fine(), down);

        assertThat(findings).extracting(Finding::check).containsExactly("majority", "nodes", "connection");
        assertThat(Diagnosis.json(findings, new NodesReport(List.of(fine(), down)), TTL))
                .startsWith(
                        "{\"ok\":false,\"hasMajority\":false,\"majority\":2,\"voting\":1,\"nodes\":2,\"ttlMillis\":30000,")
                .contains("\"node\":\"redis://b:1\",\"check\":\"connection\"");
    }

    @ParameterizedTest
    @CsvSource({
        "the user lacks a right at the server (NOPERM), rights, ACL SETUSER",
        "the server has reached its maxmemory (OOM), memory, maxmemory",
        "'the server refuses writes, since it has too few replicas (NOREPLICAS)', replicas, min-replicas-to-write",
        "'the server refuses writes, since it can''t save to disk (MISCONF)', persistence, log",
        "something else, acquire, no client gets a vote",
    })
    void anErrorOfATrialIsAProblemWithAdvice(String error, String check, String advice) {
        NodeReport report = new NodeReport("redis://a:1", NodeReport.Kind.ERROR, error, null, 0);
        assertThat(of(List.of(report), fine(), named("redis://b:1"), named("redis://c:1")))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                    assertThat(finding.node()).isEqualTo("redis://a:1");
                    assertThat(finding.check()).isEqualTo(check);
                    assertThat(finding.found()).isEqualTo("grants no lock: " + error);
                    assertThat(finding.advice()).contains(advice);
                });
    }

    @Test
    void aRightThatTheNodeReportsAsMissingIsFoundOnce() {
        NodeStatus node = node("redis 7.2.4", Duration.ofMillis(1), Duration.ZERO, "the user lacks a right");
        NodeReport report = new NodeReport(node.name(), NodeReport.Kind.ERROR, "the user lacks a right (x)", null, 0);
        assertThat(of(List.of(report), node, named("redis://b:1"), named("redis://c:1")))
                .extracting(Finding::found)
                .containsExactly("grants no lock: the user lacks a right (x)");
    }

    @Test
    void aNodeThatGrantsNoLockDoesNotVote() {
        NodeReport refusal = new NodeReport("redis://a:1", NodeReport.Kind.ERROR, "something", null, 0);
        NodesReport one = Diagnosis.report(List.of(fine()), List.of(refusal));
        List<Finding> findings = of(List.of(refusal), fine());

        assertThat(findings).extracting(Finding::check).containsExactly("majority", "nodes", "acquire");
        assertThat(findings.get(0).found()).isEqualTo("0 of 1 nodes vote, and 1 are needed");
        assertThat(one.hasMajority()).isFalse();
        assertThat(Diagnosis.text(findings, one, TTL)).endsWith("0 of 1 nodes vote, ttl 30 s: 2 things to change\n");
        assertThat(Diagnosis.json(findings, one, TTL)).contains("\"hasMajority\":false", "\"voting\":0");

        NodesReport three = Diagnosis.report(
                List.of(fine(), named("redis://b:1"), NodeStatus.unreachable("redis://c:1", State.DOWN, "")),
                List.of(refusal));
        assertThat(three.voting()).isEqualTo(1);
        assertThat(three.hasMajority()).isFalse();
    }
}
