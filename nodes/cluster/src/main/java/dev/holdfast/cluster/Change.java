package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import java.util.concurrent.CompletableFuture;

/** The changes that the leader of a group can make. Each one can be repeated: a group that has been changed already counts as changed. */
enum Change {
    /** Adds a member, which must run. */
    ADD {
        @Override
        CompletableFuture<String> begin(Group group, Node leader, PeerId peer) {
            return group.present().contains(peer) ? earlier(group, leader) : engine(done -> leader.addPeer(peer, done));
        }
    },
    /** Removes a member, which need not run. */
    REMOVE {
        @Override
        CompletableFuture<String> begin(Group group, Node leader, PeerId peer) {
            if (!group.present().contains(peer)) {
                return earlier(group, leader);
            }
            return group.present().size() == 1
                    ? CompletableFuture.completedFuture("the server is the only member")
                    : engine(done -> leader.removePeer(peer, done));
        }
    },
    /** Makes another member the leader. */
    LEAD {
        @Override
        CompletableFuture<String> begin(Group group, Node leader, PeerId peer) {
            return peer.equals(group.self()) ? DONE : group.transfer().to(leader, peer);
        }
    };

    private static final CompletableFuture<String> DONE = CompletableFuture.completedFuture("");

    /** A change by the engine, which ends with the call of a closure. */
    interface EngineChange {
        void begin(Closure done);
    }

    /** Makes the change. Completes with an empty text once it is made, or with the reason why it is not. */
    CompletableFuture<String> make(Group group, PeerId peer) {
        Node leader = group.node();
        return leader == null || !leader.isLeader()
                ? CompletableFuture.completedFuture(group.notLeading())
                : begin(group, leader, peer);
    }

    abstract CompletableFuture<String> begin(Group group, Node leader, PeerId peer);

    /** Completes with an empty text if a majority knows the present members, and with the reason if a change of them is under way. */
    private static CompletableFuture<String> earlier(Group group, Node leader) {
        return engine(done -> leader.changePeers(new Configuration(group.present()), done));
    }

    private static CompletableFuture<String> engine(EngineChange change) {
        CompletableFuture<String> result = new CompletableFuture<>();
        try {
            change.begin(status -> result.complete(inWords(status)));
        } catch (IllegalArgumentException | IllegalStateException e) {
            result.complete("the change is not made: " + e.getMessage()); // another one was faster
        }
        return result;
    }

    private static String inWords(Status status) {
        if (status.isOk()) {
            return "";
        }
        if (status.getRaftError() == RaftError.EBUSY) {
            return "another change of the members is under way; try again when it has ended";
        }
        if (status.getRaftError() == RaftError.ECATCHUP) {
            return "the server could not be brought up to date, and is not a member: does it run?";
        }
        return "the change may not have been made: " + status.getErrorMsg();
    }
}
