package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.entity.PeerId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The transfer of the lead to another server. The engine stops accepting entries, waits until the other server has the whole log, and then makes it start
 * an election. Without an election timeout, requests are refused only for as long as that takes. Thread-safe.
 */
final class LeadTransfer {

    private @Nullable CompletableFuture<String> underWay;

    /**
     * Makes another server the leader.
     *
     * @param node the node of this server
     * @return completes with an empty text once another server leads, or with the reason why this one still does
     */
    CompletableFuture<String> to(Node node, PeerId peer) {
        CompletableFuture<String> ended = new CompletableFuture<>();
        synchronized (this) {
            if (underWay != null) {
                return CompletableFuture.completedFuture("another transfer of the lead is under way");
            }
            underWay = ended;
        }
        Status status = node.transferLeadershipTo(peer);
        if (!status.isOk()) {
            end("the lead cannot be transferred now: " + status.getErrorMsg());
        }
        return ended;
    }

    /**
     * Makes one of these servers the leader: the first one that takes over. Waits for each of them for no longer than this time, and returns at once if there
     * is none.
     */
    void toFirstOf(List<PeerId> peers, Node node, Duration longest) {
        for (PeerId peer : peers) {
            if (!node.isLeader() || succeeds(to(node, peer), longest)) {
                return;
            }
        }
    }

    private boolean succeeds(CompletableFuture<String> transfer, Duration longest) {
        try {
            return transfer.get(longest.toMillis(), TimeUnit.MILLISECONDS).isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true; // the caller wants to stop, and must not wait for others
        } catch (ExecutionException | TimeoutException e) {
            end("no server took over in time");
            return false;
        }
    }

    /** Notes that this server follows another leader. */
    void follows() {
        end("");
    }

    /** Notes that this server leads: if a transfer was under way, it failed. */
    void leads() {
        end("the other server did not take over within the election timeout");
    }

    private void end(String result) {
        CompletableFuture<String> ended;
        synchronized (this) {
            ended = underWay;
            underWay = null;
        }
        if (ended != null) {
            ended.complete(result);
        }
    }
}
