package dev.holdfast.internal.quorum;

import static dev.holdfast.Interleavings.require;
import static dev.holdfast.Interleavings.together;

import dev.holdfast.HandClient;
import dev.holdfast.Interleavings;
import dev.holdfast.LincheckAgent;
import dev.holdfast.internal.thread.SerialExecutor;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Races between the nodes' notifications to a client and changes of its attempt. */
@ExtendWith(LincheckAgent.class)
@Tag("slow")
class QuorumRacesTest {

    /** One server behind two names, both of which connect at the same moment: one vote. */
    @Test
    void twinsThatComeAtTheSameTimeHaveOneVote() {
        Interleavings.check(60, () -> {
            HandClient client = new HandClient(2);
            together(
                    () -> client.listeners.get(0).available("server-1"),
                    () -> client.listeners.get(1).available("server-1"));
            require(client.quorum.nodes().refusal(0) == null, "the first name is refused");
            require(client.quorum.nodes().refusal(1) != null, "the second name has a vote of its own");
        });
    }

    /** The second name gets another server at the moment at which the first name gets that server too. */
    @Test
    void whoIsATwinFollowsFromWhatIsThereAtTheEnd() {
        Interleavings.check(60, () -> {
            HandClient client = new HandClient(2);
            client.listeners.get(0).available("server-1");
            client.listeners.get(1).available("server-1");
            together(
                    () -> client.listeners.get(0).available("server-2"),
                    () -> client.listeners.get(1).available("server-3"));
            require(client.quorum.nodes().refusal(0) == null, "the first name is refused");
            require(
                    client.quorum.nodes().refusal(1) == null,
                    "the second name is refused: " + client.quorum.nodes().refusal(1));
        });
    }

    /** The client releases a pushed vote after the attempt has ended; otherwise it reports the vote once. */
    @Test
    void aVoteIsEitherToldOrGivenBack() {
        Interleavings.check(60, () -> {
            HandClient client = new HandClient(1);
            client.nodes.get(0).occupy();
            client.nodes.get(0).beginToAnswerAtOnce();
            VoteSet votes = new VoteSet(
                    client.quorum, new SerialExecutor(), HandClient.settings(true), client.quorum.owners.next(""));
            OwnerId owner = votes.owner();
            AtomicInteger told = new AtomicInteger();
            votes.register(new Hearing(told));
            client.nodes.get(0).acquire(Requests.waiting(owner));
            together(() -> client.nodes.get(0).vacate(), votes::unregister);
            boolean kept = client.nodes.get(0).isHeld();
            require(told.get() == (kept ? 1 : 0), "told " + told.get() + " times, kept: " + kept);
        });
    }

    private record Hearing(AtomicInteger told) implements PushTarget {

        @Override
        public void pushed(int node, Push push) {
            told.incrementAndGet();
        }

        @Override
        public void clockMoved() {}
    }
}
