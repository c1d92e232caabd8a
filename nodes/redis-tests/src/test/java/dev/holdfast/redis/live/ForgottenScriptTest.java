package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.observe.RequestObserver;
import dev.holdfast.redis.script.LuaScript;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that drops its scripts on command, and then loads that of RELEASE alone: it refuses the ACQUIRE, carries out the RELEASE behind
 * it, and gets the ACQUIRE again after that.
 */
@Tag("slow")
class ForgottenScriptTest {

    private static final String LOCK = "forgotten";

    private final AtomicInteger releases = new AtomicInteger();
    private final ClientObserver observer = new ClientObserver() {
        @Override
        public RequestObserver request(String node, NodeOperation operation) {
            releases.addAndGet(operation == NodeOperation.RELEASE ? 1 : 0);
            return RequestObserver.NONE;
        }
    };

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void c16_aVoteThatIsGrantedAfterItsReleaseIsGivenBack(int nodes) throws Exception {
        try (LiveNodes live = new LiveNodes(nodes)) {
            Holdfast other = live.client(LiveNodes::lasting);
            Holdfast client = live.client(
                    settings -> LiveNodes.patient(LiveNodes.lasting(settings)).observer(observer));
            Lease held = other.lock(LOCK).acquire(LiveNodes.SOON);
            assertThat(client.lock(LOCK).tryAcquire().isHeld())
                    .as("it knows now that others use the lock")
                    .isFalse();
            held.release();
            keepOnlyReleases(live);
            pause(live);

            askAndGiveUp(client, nodes);
            resume(live);

            assertNothingIsLeft(live, client);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void c16_aPlaceInTheQueueThatIsGivenAfterItsReleaseIsGivenBack(int nodes) throws Exception {
        try (LiveNodes live = new LiveNodes(nodes)) {
            Holdfast other = live.client(LiveNodes::lasting);
            Holdfast client = live.client(
                    settings -> LiveNodes.patient(LiveNodes.lasting(settings)).observer(observer));
            Lease held = other.lock(LOCK).acquire(LiveNodes.SOON);
            assertThat(client.lock(LOCK).tryAcquire().isHeld())
                    .as("it knows now that others use the lock")
                    .isFalse();
            keepOnlyReleases(live);
            pause(live);

            askAndGiveUp(client, nodes);
            resume(live);

            assertNothingIsLeft(live, other);
            held.release();
        }
    }

    /** Until both requests are on their way to every node. */
    private void askAndGiveUp(Holdfast client, int nodes) {
        int before = releases.get();
        CompletableFuture<Lease> asked =
                client.lock(LOCK).acquireAsync(LiveNodes.SOON).toCompletableFuture();
        asked.cancel(true);
        await().atMost(LiveNodes.SOON).until(() -> releases.get() == before + nodes);
    }

    private static void keepOnlyReleases(LiveNodes live) {
        for (int i = 0; i < live.servers.size(); i++) {
            live.server(i).send("SCRIPT", "FLUSH");
            live.server(i).send("SCRIPT", "LOAD", LuaScript.RELEASE.text());
        }
    }

    private static void pause(LiveNodes live) {
        for (int i = 0; i < live.servers.size(); i++) {
            live.server(i).pause();
        }
    }

    private static void resume(LiveNodes live) {
        for (int i = 0; i < live.servers.size(); i++) {
            live.server(i).resume();
        }
    }

    /** Long before a vote or a queue entry expires, and after the server has loaded the script again. */
    private static void assertNothingIsLeft(LiveNodes live, Holdfast client) {
        for (int i = 0; i < live.servers.size(); i++) {
            int server = i;
            await().atMost(LiveNodes.SOON)
                    .until(() -> live.server(server)
                            .send("SCRIPT", "EXISTS", LuaScript.ACQUIRE.sha1(), LuaScript.ACQUIRE_ALONE.sha1())
                            .toString()
                            .contains("1"));
        }
        await().atMost(LiveNodes.TTL)
                .untilAsserted(() -> assertThat(LiveNodes.status(client, LOCK).nodes())
                        .allSatisfy(node -> assertThat(node.state()).hasValueSatisfying(state -> {
                            assertThat(state.holders()).noneMatch(holder -> live.isOfLastClient(holder.owner()));
                            assertThat(state.waiters()).isEmpty();
                        })));
    }
}
