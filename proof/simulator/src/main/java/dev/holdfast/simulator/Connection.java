package dev.holdfast.simulator;

import dev.holdfast.node.Push;
import dev.holdfast.node.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A connection from a client to a node, from its start until it breaks. */
final class Connection {

    private final Schedule schedule;
    private final SimLink link;
    private final SimServer server;
    private final Wire toServer;
    private final Wire toClient;
    private final List<Call<?>> open = new ArrayList<>();
    private boolean broken;

    private static final class Call<A> {
        final CompletableFuture<A> answer = new CompletableFuture<>();
    }

    Connection(Schedule schedule, SimLink link, SimServer server) {
        this.schedule = schedule;
        this.link = link;
        this.server = server;
        this.toServer = new Wire(schedule);
        this.toClient = new Wire(schedule);
    }

    String client() {
        return link.clientId();
    }

    boolean isBroken() {
        return broken;
    }

    Wire toServer() {
        return toServer;
    }

    Wire toClient() {
        return toClient;
    }

    /** Sends a request to the node. If the connection breaks first, the answer is that the outcome is unknown. */
    <A> CompletableFuture<A> send(Function<SimServer, ? extends CompletionStage<? extends A>> step) {
        schedule.count(Count.MESSAGES);
        Call<A> call = new Call<>();
        open.add(call);
        toServer.send(() -> server.receive(() -> {
            if (server.isUp()) {
                step.apply(server)
                        .thenAccept(answer -> toClient.send(() -> link.deliver(() -> answered(call, answer))));
            }
        }));
        if (schedule.chance(schedule.scenario().network().doubled()) && !schedule.isCalm()) {
            schedule.after(
                    schedule.slowNanos(),
                    () -> arriveAgain(() -> step.apply(server)
                            .thenAccept(unheard -> schedule.trace().add(server.name(), "repeats", 0, unheard))));
        }
        return call.answer;
    }

    private void arriveAgain(Runnable step) {
        if (server.isUp()) {
            server.receive(step);
        }
    }

    private <A> void answered(Call<A> call, A answer) {
        if (open.remove(call)) {
            call.answer.complete(answer);
        }
    }

    /** Notifies the client that the node accepts requests now. */
    void available() {
        toClient.send(() -> link.deliver(() -> link.available(this)));
    }

    void push(Push push) {
        Scenario.Network network = schedule.scenario().network();
        Runnable arrival = () -> link.deliver(() -> link.pushed(this, push));
        if (schedule.chance(network.pushesLost())) {
            schedule.trace().add(server.name(), "loses the push", push.fence(), push);
        } else if (schedule.chance(network.pushesLate())) {
            schedule.after(schedule.slowNanos(), arrival);
        } else {
            toClient.send(arrival);
        }
    }

    /**
     * Breaks the connection. The client notices the end as soon as it reads.
     *
     * @param requestsArrive whether the node still receives the requests under way
     */
    void breakOff(boolean requestsArrive) {
        if (broken) {
            return;
        }
        broken = true;
        schedule.trace().add(link.toString(), "breaks", requestsArrive ? 1 : 0, "");
        toClient.cut();
        if (requestsArrive) {
            toServer.unblock();
        } else {
            toServer.cut();
        }
        server.disconnected(this);
        link.deliver(() -> link.lost(this));
    }

    /** Breaks the connection. Requests under way that have not arrived yet arrive much later. */
    void breakOffLeavingGhosts(long afterNanos) {
        toServer.block();
        schedule.after(afterNanos, toServer::unblock);
        broken = true;
        schedule.trace().add(link.toString(), "breaks, and leaves ghosts", afterNanos, "");
        toClient.cut();
        server.disconnected(this);
        link.deliver(() -> link.lost(this));
    }

    @SuppressWarnings("unchecked") // Unavailable is an answer to every kind of request
    void endCalls(Unavailable unknown) {
        while (!open.isEmpty()) { // a notified client may send new requests
            ((Call<Object>) open.remove(0)).answer.complete(unknown);
        }
    }
}
