package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.election.Candidacy;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every client of the nodes sees the label of a waiter, of a holder, and of a client that has sealed a lock. */
class LabelTest {

    private static final String LABEL = "Nachtlauf für 10 % (Köln)/2";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Holdfast holdfast;
    private Holdfast other;

    @BeforeEach
    void start() {
        List<String> nodes = List.of("memory:label-1", "memory:label-2", "memory:label-3");
        holdfast = Holdfast.builder().nodes(nodes).clientName("one@host").connect();
        other = Holdfast.builder().nodes(nodes).clientName("two@host").connect();
    }

    @AfterEach
    void stop() {
        holdfast.close();
        other.close();
    }

    @Test
    void otherClientsSeeTheLabelOfTheHolderAndOfTheWaiter() throws InterruptedException {
        DistributedLock lock = holdfast.lock("labelled").label(LABEL);
        try (Lease lease = lock.acquire(PATIENCE)) {
            CompletableFuture<Acquisition> waiting =
                    other.lock("labelled").label("second").tryAcquireAsync(PATIENCE);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> lock.status().waiters().size() == 1);

            LockStatus status = other.lock("labelled").status();
            assertThat(status.holders().get(0).name()).isEqualTo(LABEL);
            assertThat(status.holders().get(0).owner()).startsWith("one@host~").doesNotContain("Nachtlauf");
            assertThat(status.waiters().get(0).name()).isEqualTo("second");
            assertThat(status.nodes()
                            .get(0)
                            .state()
                            .orElseThrow()
                            .holders()
                            .get(0)
                            .name())
                    .isEqualTo(LABEL);
            assertThat(refusal("labelled")).contains("HELD by " + LABEL);
            assertThat(lease.release()).isNotNull();
            waiting.join().lease().release();
        }
    }

    private String refusal(String name) throws InterruptedException {
        return ((Acquisition.Refused) other.lock(name).tryAcquire()).refusal().message();
    }

    @Test
    void withoutALabelTheClientIsNamed() throws InterruptedException {
        try (Lease lease = holdfast.lock("plain").acquire(PATIENCE)) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(other.lock("plain").status().holders().get(0).name()).isEqualTo("one@host");
            assertThat(refusal("plain")).contains("HELD by one@host");
        }
    }

    @Test
    void aSealHasTheLabelOfTheLease() throws InterruptedException {
        holdfast.lock("sealed").label(LABEL).acquire(PATIENCE).seal(Duration.ofMinutes(1));

        assertThat(other.lock("sealed").status().seal().orElseThrow().displayBy())
                .isEqualTo(LABEL);
        assertThat(refusal("sealed")).contains("by " + LABEL);
    }

    @Test
    void anExtensionAndAHandOverKeepTheLabel() throws InterruptedException {
        DistributedLock lock = holdfast.lock("kept").label(LABEL);
        Lease lease = lock.acquire(PATIENCE);
        CompletableFuture<Lease> same = lock.acquireAsync(PATIENCE);
        CompletableFuture<Lease> different =
                holdfast.lock("kept").label("another").acquireAsync(PATIENCE);
        lease.extend(Duration.ofMinutes(1));
        assertThat(lock.status().holders().get(0).name()).isEqualTo(LABEL);
        lease.release();

        for (int turn = 0; turn < 2; turn++) { // either may be next: the other queue is that of the nodes
            CompletableFuture.anyOf(same, different).join();
            boolean isSame = same.isDone() && same.join().isHeld();
            assertThat(lock.status().holders().get(0).name()).isEqualTo(isSame ? LABEL : "another");
            (isSame ? same : different).join().release();
            if (turn == 0) {
                (isSame ? different : same).join();
            }
        }
    }

    @Test
    void aCandidatesNameIsItsLabel() {
        try (Candidacy candidacy = holdfast.election("election")
                .candidateName("node-1")
                .stand(leadership -> new CountDownLatch(1).await())) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    other.lock("election").status().holders())
                            .singleElement()
                            .satisfies(holder -> assertThat(holder.name()).isEqualTo("node-1")));
            assertThat(candidacy.leadership()).isPresent();
        }
    }

    @Test
    void wrongLabelsAreRefused() throws InterruptedException {
        DistributedLock lock = holdfast.lock("wrong");

        assertThat(lock.label("x".repeat(200)).options().label()).hasSize(200);
        assertThat(lock.label("").options()).isEqualTo(lock.options());
        assertThat(lock.label("🔒".repeat(100)).acquire(PATIENCE).isHeld()).isTrue();
        for (String label :
                List.of("x".repeat(201), "🔒".repeat(101), "a\nb", "a\u2028b", "\ud800", "a\u202eb", " \u00a0")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lock.label(label))
                    .withMessageStartingWith("label is '")
                    .withMessageEndingWith(
                            "', but must have 200 characters at most, none of them invisible, and not only"
                                    + " spaces");
        }
    }
}
