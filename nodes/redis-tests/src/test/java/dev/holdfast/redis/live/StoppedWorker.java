package dev.holdfast.redis.live;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.observe.RequestObserver;
import dev.holdfast.observe.RequestOutcome;
import java.time.Duration;

/** A process that asks its nodes all the time, prints a line for each round, and one for each node that it takes for silent or down. */
public final class StoppedWorker {

    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private StoppedWorker() {}

    /** Arguments: the nodes. Ends when it is killed. */
    public static void main(String[] nodes) throws InterruptedException {
        ClientObserver observer = new ClientObserver() {
            @Override
            public RequestObserver request(String node, NodeOperation operation) {
                return (outcome, took) -> {
                    if (outcome == RequestOutcome.TIMEOUT || outcome == RequestOutcome.UNAVAILABLE) {
                        System.out.println("BLAMED " + node + " " + operation + " " + outcome);
                    }
                };
            }
        };
        try (Holdfast holdfast = LiveNodes.settings(nodes)
                .restartQuarantine(Duration.ZERO)
                .nodeOptions(
                        NodeOptions.defaults().connectTimeout(CONNECT_TIMEOUT).timeout(CONNECT_TIMEOUT.dividedBy(2)))
                .observer(observer)
                .connect()) {
            for (int round = 1; true; round++) {
                try (Acquisition acquisition = holdfast.lock("stopped-worker").tryAcquire(Duration.ZERO)) {
                    if (acquisition instanceof Acquisition.Refused refused) {
                        System.out.println("BLAMED " + refused.refusal().message());
                    }
                }
                for (NodeStatus node : holdfast.admin().nodes()) {
                    if (node.state() != NodeStatus.State.UP) {
                        System.out.println("BLAMED " + node);
                    }
                }
                System.out.println("round " + round);
            }
        }
    }
}
