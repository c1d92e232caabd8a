package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.google.protobuf.ByteString;
import dev.holdfast.time.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers of a server to the others: to the entries of a leader, and to questions. */
class PeerAnswersTest {

    private static final int REQUESTS = 3_000;
    private static final long PATIENCE_MILLIS = Duration.ofSeconds(60).toMillis();

    @TempDir
    Path folder;

    private final Timing timing = Timing.system("entries");

    @AfterEach
    void close() {
        timing.scheduler().close();
    }

    /**
     * A server that was stopped finds several connections of one leader, which the leader has closed and opened meanwhile, and reads them at the same time.
     * The engine once kept one order for the answers to all of them. Then one answer could hold up all later ones for minutes.
     */
    @Test
    void noConnectionHoldsUpTheAnswersForAnotherOne() throws Exception {
        try (TrialCluster cluster = new TrialCluster(folder, timing, Duration.ofSeconds(1), null)) {
            PeerId server = cluster.leader().led().get(0).self();
            AppendEntriesRequest old = AppendEntriesRequest.newBuilder()
                    .setGroupId("trial")
                    .setServerId("127.0.0.1:1")
                    .setPeerId(server.toString())
                    .setTerm(0)
                    .setPrevLogTerm(0)
                    .setPrevLogIndex(0)
                    .setCommittedIndex(0)
                    .setData(ByteString.EMPTY)
                    .build();
            List<PeerClient> connections = List.of(new PeerClient(), new PeerClient(), new PeerClient());
            ConcurrentLinkedQueue<CompletableFuture<Object>> answers = new ConcurrentLinkedQueue<>();
            try {
                CompletableFuture.allOf(connections.stream()
                                .map(client -> CompletableFuture.runAsync(
                                        () -> send(old, server, client, answers), timing.scheduler()::execute))
                                .toArray(CompletableFuture[]::new))
                        .get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                for (CompletableFuture<Object> answer : answers) {
                    assertThat(answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                            .isInstanceOf(AppendEntriesResponse.class);
                }
                assertThat(answers).hasSize(connections.size() * REQUESTS);
            } finally {
                connections.forEach(PeerClient::shutdown);
            }
        }
    }

    /** Otherwise the other server would wait for as long as a change of the members may take. */
    @Test
    void aQuestionThatCannotBeCarriedOutIsAnswered() throws Exception {
        try (TrialCluster cluster = new TrialCluster(folder, timing, Duration.ofSeconds(1), null)) {
            PeerId server = cluster.leader().led().get(0).self();
            PeerClient client = new PeerClient();
            client.init(new PeerRpc.PeerOptions(PeerSockets.of(null, timing.ticker()), timing));
            PeerMessage question = new PeerMessage(Map.of(
                    "question", Members.CHANGE, "cluster", "trial", Members.CHANGE, Change.LEAD.name(), "peer", "?"));
            CompletableFuture<Object> answer = new CompletableFuture<>();
            try {
                client.invokeAsync(
                        server.getEndpoint(),
                        question,
                        null,
                        (result, failure) -> answer.complete(failure == null ? result : failure),
                        PATIENCE_MILLIS);
                assertThat(answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                        .isInstanceOfSatisfying(
                                PeerMessage.class,
                                one -> assertThat(one.get("problem")).isNotEmpty());
            } finally {
                client.shutdown();
            }
        }
    }

    private void send(
            AppendEntriesRequest request,
            PeerId server,
            PeerClient client,
            ConcurrentLinkedQueue<CompletableFuture<Object>> answers) {
        client.init(new PeerRpc.PeerOptions(PeerSockets.of(null, timing.ticker()), timing));
        for (int i = 0; i < REQUESTS; i++) {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            answers.add(answer);
            try {
                client.invokeAsync(
                        server.getEndpoint(),
                        request,
                        null,
                        (result, failure) -> answer.complete(failure == null ? result : failure),
                        PATIENCE_MILLIS / 2);
            } catch (RemotingException e) {
                answer.complete(e);
            }
        }
    }
}
