package dev.holdfast.micrometer;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.observe.LeaseEnd;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Spans of waiting and holding. */
class HoldfastObservationsTest {

    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a", builder -> builder.observer(new HoldfastObservations(registry)));

    @Test
    void waitingAndHoldingAreChildrenOfWhatAskedForTheLock() {
        Observation request = Observation.start("http request", registry);
        Lease lease;
        try (Observation.Scope scope = request.openScope()) {
            lease = a.acquire("x");
        }
        cluster.await(lease.releaseAsync());
        request.stop();

        String token = Long.toString(lease.fencingToken());
        assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.wait")
                .that()
                .hasBeenStopped()
                .hasParentObservationEqualTo(request)
                .hasContextualNameEqualTo("wait for lock")
                .hasLowCardinalityKeyValue("mode", "EX")
                .hasLowCardinalityKeyValue("outcome", "acquired")
                .hasHighCardinalityKeyValue("lock", "x")
                .hasHighCardinalityKeyValue("token", token)
                .doesNotHaveError();
        assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.hold")
                .that()
                .hasBeenStopped()
                .hasParentObservationEqualTo(request)
                .hasLowCardinalityKeyValue("outcome", "released")
                .hasHighCardinalityKeyValue("token", token)
                .doesNotHaveError();
    }

    @Test
    void aRefusalIsAnOutcomeAndTooFewNodesAreAnError() {
        cluster.client("b").acquire("x");
        a.tryAcquire("x");
        assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.wait")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "held")
                .doesNotHaveError();

        registry.clear();
        a.nodes(0, 1).forEach(node -> node.disconnect("cut"));
        a.tryAcquire("x");
        assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.wait")
                .that()
                .hasLowCardinalityKeyValue("outcome", "no-quorum")
                .hasError();
        assertThat(registry).doesNotHaveAnyRemainingCurrentObservation();
    }

    @Test
    void aLossIsAnError() {
        a.acquire("x");
        a.nodes(0, 1).forEach(node -> node.disconnect("cut"));
        cluster.advance(Duration.ofSeconds(31));

        assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.hold")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "lost")
                .hasError();
    }

    @Test
    void aCandidateThatStandsByDoesNotWait() {
        LeaseObserver candidate = new HoldfastObservations(registry).candidacy("reports", LockMode.EX);
        assertThat(registry).doesNotHaveAnyObservation();

        Lease lease = cluster.client("c").acquire("reports");
        candidate.granted(lease, Duration.ofDays(3));
        candidate.ended(new LeaseEnd(LeaseEnd.How.RELEASED, Duration.ofDays(1), Duration.ofSeconds(20)));

        assertThat(registry)
                .hasNumberOfObservationsEqualTo(1)
                .hasObservationWithNameEqualTo("holdfast.hold")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "released")
                .hasHighCardinalityKeyValue("lock", "reports");
    }

    @Test
    void whereNobodyObservesThereIsNothing() {
        FakeClient c =
                cluster.client("c", builder -> builder.observer(new HoldfastObservations(ObservationRegistry.NOOP)));
        cluster.await(c.acquire("x").releaseAsync());
    }
}
