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
            assertThat(servers.node(0).keys("lock:holdfast-doctor")).isEmpty();

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
            JsonNode findings = new JsonMapper().readTree(faults.out()).get("findings");
            assertThat(StreamSupport.stream(findings.spliterator(), false)
                            .filter(finding ->
                                    !finding.get("severity").asString().equals("note"))
                            .map(finding -> finding.get("check").asString()))
                    .containsExactly("eviction", "rights", "connection");

            servers.node(1).kill();
            assertThat(cli.nodes(servers.uris()).run("doctor").exitCode()).isEqualTo(69);
        }
    }
}
