package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.cluster.ClusterConfig.Start;
import dev.holdfast.cluster.OwnPart.State;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server says whether it takes its own part, which its clients do not notice. */
@Tag("slow")
class OwnPartTest extends OnCluster {

    @BeforeEach
    void startServers() {
        cluster = new TrialCluster(folder, timing, 2);
    }

    private OwnPart part(String name) {
        return cluster.server(name).part().toCompletableFuture().join();
    }

    private void awaitState(String name, State state) {
        await(name).atMost(PATIENCE).until(() -> part(name).state() == state);
    }

    @Test
    void aServerThatHearsNoLeaderNamesTheOthers() {
        TrialCluster.FOUNDERS.forEach(name -> awaitState(name, State.TAKEN));
        assertThat(part("a").detail()).isEmpty();

        List.of("b", "c").forEach(cluster::stop);

        awaitState("a", State.MISSING);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(part("a").detail())
                        .startsWith("server a takes no full part in the cluster [server a: group ")
                        .contains(
                                ": it knows no leader; server b: no connection: it does not run, or cannot be reached;"
                                        + " server c: no connection"));
    }

    @Test
    void aServerThatJoinsWaitsAndOneThatWasRemovedIsMissing() {
        cluster.leader(0);
        cluster.leader(1);
        ClusterServer joining = cluster.start("d", Start.JOIN);

        assertThat(part("d"))
                .isEqualTo(new OwnPart(
                        State.JOINING, "server d is not a member of the cluster yet, and takes part once it is added"));
        assertThat(joining.groupOf("any").notLeading())
                .startsWith("server d is not a member of group ")
                .endsWith(" yet; ask another server");

        change(leader -> leader.add("d", cluster.address("d")));
        awaitState("d", State.TAKEN);
        change(leader -> leader.name().equals("d") ? leader.transfer("a") : leader.remove("d"));
        change(leader -> leader.remove("d").thenApply(reason -> reason.contains("no member d") ? "" : reason));

        awaitState("d", State.MISSING);
        assertThat(part("d").detail())
                .startsWith("server d is not a member of group ")
                .doesNotContain("yet");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(joining.groupOf("any").notLeading())
                        .startsWith("server d is not a member of group ")
                        .endsWith("; ask another server")
                        .doesNotContain("yet"));
    }
}
