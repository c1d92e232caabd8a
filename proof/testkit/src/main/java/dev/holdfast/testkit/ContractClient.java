package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** One client of the node under test. For one thread. */
final class ContractClient {

    private final ConditionWaiter patience;
    private final List<ReleaseRequest> toRelease = new ArrayList<>();
    final String client;
    final RecordingListener listener;
    final LockNode node;

    ContractClient(ConditionWaiter patience, String client, RecordingListener listener, LockNode node) {
        this.patience = patience;
        this.client = client;
        this.listener = listener;
        this.node = node;
    }

    /** Returns the owner id of an attempt with this ticket time. */
    OwnerId owner(long ticketTime) {
        return new OwnerId(client, ticketTime, 0);
    }

    /** Starts an ACQUIRE by the attempt with this ticket time; the defaults are EX, a minute and no queueing. */
    AcquireBuilder ask(String resource, long ticketTime) {
        return ask(resource, owner(ticketTime));
    }

    AcquireBuilder ask(String resource, OwnerId owner) {
        toRelease.add(new ReleaseRequest(resource, owner, 0));
        return new AcquireBuilder(patience, node, resource, owner);
    }

    ReleaseAnswer release(String resource, long ticketTime) {
        return release(new ReleaseRequest(resource, owner(ticketTime), 0));
    }

    ReleaseAnswer release(ReleaseRequest request) {
        return patience.answer(node.release(request));
    }

    ResourceState inspect(String resource) {
        InspectAnswer answer = patience.executed(() -> node.inspect(resource));
        assertThat(answer).isInstanceOf(ResourceState.class);
        return (ResourceState) answer;
    }

    ListAnswer.Names list(String prefix, int limit) {
        ListAnswer answer = patience.executed(() -> node.list(prefix, limit));
        assertThat(answer).isInstanceOf(ListAnswer.Names.class);
        return (ListAnswer.Names) answer;
    }

    /** Waits for a GRANTED push and returns its fence. */
    long granted(String resource, long ticketTime) {
        OwnerId owner = owner(ticketTime);
        return push(
                        "GRANTED for " + owner,
                        resource,
                        push -> push instanceof Push.Granted && push.owner().equals(owner))
                .fence();
    }

    /** Waits for a CONTENDED push about the vote of this attempt. */
    Push.Contended contended(String resource, long ticketTime) {
        OwnerId owner = owner(ticketTime);
        return (Push.Contended) push(
                "CONTENDED for " + owner,
                resource,
                push -> push instanceof Push.Contended && push.owner().equals(owner));
    }

    private Push push(String what, String resource, Predicate<Push> which) {
        patience.until(what, () -> listener.pushes(resource).stream().anyMatch(which));
        return listener.pushes(resource).stream().filter(which).findFirst().orElseThrow();
    }

    /** Returns all pushes about this resource, after all messages under way have arrived. */
    List<Push> allPushes(String resource) {
        String last = resource + ":last-push:" + client;
        ask(last, 1).granted();
        ask(last, 2).queue().queued();
        release(last, 1);
        granted(last, 2);
        return listener.pushes(resource);
    }

    /** Releases all resources that this client ever asked for, and disconnects. */
    void leave() {
        toRelease.forEach(request -> node.release(request));
        toRelease.stream().findFirst().ifPresent(request -> patience.answer(node.release(request)));
        node.close();
    }
}
