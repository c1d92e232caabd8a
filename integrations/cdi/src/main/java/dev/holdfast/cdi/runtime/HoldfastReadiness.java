package dev.holdfast.cdi.runtime;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.locked.ClientText;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * A readiness check that reports whether this application can acquire locks: UP while a majority of its nodes votes, else DOWN. The data are the state
 * of each node. The check asks the nodes, and waits at most one node timeout.
 */
@Readiness
@Singleton
public class HoldfastReadiness implements HealthCheck {

    private final Holdfast holdfast;

    @Inject
    public HoldfastReadiness(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("Holdfast lock nodes");
        List<NodeStatus> nodes;
        try {
            nodes = holdfast.admin().nodes();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return response.down().withData("failure", "interrupted").build();
        }
        long voting = nodes.stream()
                .filter(node -> node.state() == NodeStatus.State.UP)
                .count();
        int majority = nodes.size() / 2 + 1;
        response.withData("voting", voting + " of " + nodes.size() + ", " + majority + " are needed");
        nodes.forEach(node -> response.withData(node.name(), ClientText.state(node)));
        return response.status(voting >= majority).build();
    }
}
