package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Cli;
import dev.holdfast.cli.Cli.Running;
import dev.holdfast.redis.process.RedisProcesses;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code holdfast doctor} on real servers: each fault that is made is found, with what to change. */
@Tag("slow")
class DoctorTest {

    @TempDir
    private Path folder;

    @Test
    void everyFaultIsFoundAndToldWithAdvice() {
        try (RedisProcesses servers = RedisProcesses.start(3);
                Cli cli = new Cli(folder).patient("node-timeout = 10s")) {
            cli.nodes(servers.uris());
            Running fine = cli.run("doctor");
            assertThat(fine.exitCode()).as("%s", fine).isZero();
            assertThat(fine.out()).endsWith("3 of 3 nodes vote, ttl 30 s: nothing to change\n");
            assertThat(servers.node(0).keys("lock:holdfast-doctor*")).isEmpty();
            List<String> left = servers.node(0).keys("*holdfast-doctor:node*");
            assertThat(cli.run("doctor").exitCode()).isZero();
            assertThat(left).as("the fence and the ttl of one name").hasSize(2);
            assertThat(servers.node(0).keys("*holdfast-doctor:node*")).containsExactlyInAnyOrderElementsOf(left);

            servers.node(0).send("CONFIG", "SET", "maxmemory", "100mb");
            servers.node(0).send("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            servers.node(1).send("ACL", "SETUSER", "some", "on", ">hush", "~*", "&*", "+@all", "-publish");
            servers.node(2).kill();
            List<URI> uris = List.of(
                    servers.uris().get(0),
                    URI.create(servers.uris().get(1).toString().replace("redis://", "redis://some:hush@")),
                    servers.uris().get(2));
            Running faults = cli.nodes(uris).run("doctor", "--json");

            assertThat(faults.exitCode()).as("%s", faults).isEqualTo(1);
            assertThat(faults.out()).hasLineCount(1).doesNotContain("hush");
            assertThat(problems(faults)).containsExactly("eviction", "rights", "connection");

            servers.node(1).kill();
            assertThat(cli.nodes(servers.uris()).run("doctor").exitCode()).isEqualTo(69);
        }
    }

    @Test
    void nodesThatGrantNoLockAreFound() {
        try (RedisProcesses servers = RedisProcesses.start(3);
                Cli cli = new Cli(folder).patient("node-timeout = 10s")) {
            assertThat(cli.nodes(servers.uris()).run("doctor").exitCode()).isZero();
            servers.node(0).send("ACL", "SETUSER", "other", "on", ">hush", "~other:*", "~holdfast:*", "&*", "+@all");
            servers.node(1).send("CONFIG", "SET", "maxmemory", "1");
            servers.node(2).send("CONFIG", "SET", "min-replicas-to-write", "1");
            List<URI> uris = servers.uris();
            Running all = cli.nodes(List.of(as("other:hush", uris.get(0)), uris.get(1), uris.get(2)))
                    .run("doctor", "--json");

            assertThat(all.exitCode()).as("%s", all).isEqualTo(69);
            assertThat(problems(all)).containsExactly("majority", "rights", "memory", "replicas");
            assertThat(all.out()).contains("grants no lock: ", "NOPERM", "OOM", "NOREPLICAS", "\"voting\":0");

            servers.node(1).send("CONFIG", "SET", "maxmemory", "0");
            servers.node(2).send("CONFIG", "SET", "min-replicas-to-write", "0");
            servers.node(0).send("ACL", "SETUSER", "other", "~*", "-evalsha");
            Running one = cli.run("doctor", "--json");

            assertThat(one.exitCode()).as("%s", one).isEqualTo(1);
            assertThat(problems(one)).containsOnlyOnce("rights").doesNotContain("memory", "replicas");
            assertThat(one.out()).contains("evalsha", "\"voting\":2");
            for (int node = 0; node < 3; node++) {
                assertThat(servers.node(node).keys("lock:holdfast-doctor*")).isEmpty();
            }
        }
    }

    @Test
    void aNodeThatMustNotBeUsedDoesNotHideTheFaultsOfOthers() {
        try (RedisProcesses servers = RedisProcesses.start(3);
                Cli cli = new Cli(folder).patient("node-timeout = 10s")) {
            assertThat(cli.nodes(servers.uris()).run("doctor").exitCode()).isZero();
            servers.node(1).send("CONFIG", "SET", "maxmemory", "1");
            List<URI> uris = servers.uris();
            Running faults = cli.nodes(List.of(as("bob:wrong", uris.get(0)), uris.get(1), uris.get(2)))
                    .run("doctor", "--json");

            assertThat(faults.exitCode()).as("%s", faults).isEqualTo(69);
            assertThat(problems(faults)).containsExactly("majority", "setup", "memory");
            assertThat(faults.out()).contains("must not be used", "the server refuses the user or the password");
            assertThat(faults.err()).isEmpty();
        }
    }

    private static URI as(String user, URI node) {
        return URI.create(node.toString().replace("redis://", "redis://" + user + "@"));
    }

    /** Returns the checks of the findings that need a change. */
    private static List<String> problems(Running doctor) {
        JsonNode findings = new JsonMapper().readTree(doctor.out()).get("findings");
        return StreamSupport.stream(findings.spliterator(), false)
                .filter(finding -> !finding.get("severity").asString().equals("note"))
                .map(finding -> finding.get("check").asString())
                .toList();
    }
}
