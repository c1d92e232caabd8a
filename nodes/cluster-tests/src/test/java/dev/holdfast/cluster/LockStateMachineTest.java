package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Unavailable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockStateMachineTest {

    private static final long RETENTION_MILLIS = 20_000;

    private static LockStateMachine machine() {
        return new LockStateMachine(RETENTION_MILLIS);
    }

    /** The answers and notifications of an entry. */
    private static List<Object> outcome(LockStateMachine machine, Batch batch) {
        List<Push> pushes = new ArrayList<>();
        List<Object> outcome = new ArrayList<>(machine.apply(batch, pushes::add));
        outcome.addAll(pushes);
        return outcome;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aRestoredTableAnswersLikeTheOriginal(long seed) {
        RandomOperations operations = new RandomOperations(new Random(seed));
        LockStateMachine original = machine();
        for (int i = 0; i < 500; i++) {
            outcome(original, operations.batch());
        }
        original.raiseFences(3_600_000);
        LockStateMachine restored = machine();
        restored.restore(original.snapshot());
        assertThat(restored.millis())
                .as("the time from which the next leader's time goes on")
                .isEqualTo(original.millis());
        assertThat(restored.snapshot()).isEqualTo(original.snapshot());

        int answers = 0;
        while (answers < 10_000) {
            Batch batch = operations.batch();
            List<Object> expected = outcome(original, batch);
            assertEquals(expected, outcome(restored, batch));
            answers += batch.operations().size();
        }
        assertThat(restored.snapshot()).isEqualTo(original.snapshot());
    }

    /** Without an entry, a query shows what it would show with one, or nothing if something has expired since the last entry. */
    @ParameterizedTest
    @ValueSource(longs = {21, 22})
    void aQueryWithoutAnEntryShowsWhatAnEntryWould(long seed) {
        Random random = new Random(seed);
        RandomOperations operations = new RandomOperations(random);
        LockStateMachine machine = machine();
        int shown = 0;
        int expired = 0;
        for (int i = 0; i < 2_500; i++) {
            outcome(machine, operations.batch());
            String resource = operations.resource();
            long now = machine.millis() + random.nextInt(200);
            byte[] before = machine.snapshot();
            Optional<ResourceState> read = machine.inspect(resource, now);
            assertThat(machine.snapshot()).as("a query changes nothing").isEqualTo(before);
            LockStateMachine other = machine();
            other.restore(before);
            ResourceState expected =
                    (ResourceState) other.apply(new Batch(now, List.of(new Operation.Inspect(resource))), push -> {})
                            .get(0);
            if (read.isPresent()) {
                shown++;
                assertThat(read.get().seal() == null)
                        .as("a seal ends by an entry, or a later leader could show it again")
                        .isEqualTo(machine.inspect(resource, machine.millis())
                                        .orElseThrow()
                                        .seal()
                                == null);
                assertThat(read.get().holders()).isEqualTo(expected.holders());
                assertThat(read.get().waiters()).isEqualTo(expected.waiters());
                assertThat(read.get().seal()).isEqualTo(expected.seal());
            } else {
                expired++;
            }
        }
        assertThat(shown).isGreaterThan(300);
        assertThat(expired).isGreaterThan(50);
    }

    /** A snapshot at every tenth entry of the one replica must not make it differ from the other. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12})
    void replicasWithTheSameLogAreEqual(long seed) {
        RandomOperations operations = new RandomOperations(new Random(seed));
        LockStateMachine leader = machine();
        LockStateMachine follower = machine();
        for (int i = 0; i < 1_000; i++) {
            Batch batch = operations.batch();
            List<Object> expected = outcome(leader, batch);
            assertEquals(expected, outcome(follower, Batch.read(batch.bytes())));
            if (i % 10 == 0) {
                LockStateMachine restarted = machine();
                restarted.restore(follower.snapshot());
                follower = restarted;
            }
        }
        assertThat(follower.snapshot()).isEqualTo(leader.snapshot());
    }

    /** Only a sweep in the log drops a resource that rests, since its ttl then counts for all resources. */
    @Test
    void aSnapshotDropsNoResourceThatRestsAndKeepsTheTtlOfDroppedOnes() {
        LockStateMachine one = new LockStateMachine(ClusterServer.FENCE_RETENTION.toMillis());
        LockStateMachine other = new LockStateMachine(ClusterServer.FENCE_RETENTION.toMillis());
        OwnerId owner = new OwnerId("c~00000000", 7, 0);
        List<Operation<?>> used = List.of(
                new Operation.Acquire(AcquireRequest.forVote("x", owner, LockMode.EX, 5_000, 100, 1)),
                new Operation.Release(new ReleaseRequest("x", owner, 0)));
        assertEquals(outcome(one, new Batch(1, used)), outcome(other, new Batch(1, used)));
        Batch rested = new Batch(700_000, List.of());
        assertEquals(outcome(one, rested), outcome(other, rested));

        other.restore(other.snapshot());

        Batch before = new Batch(700_001, List.of(shortRequest("y")));
        assertEquals(outcome(one, before), outcome(other, before));
        Batch sweep = new Batch(700_002, List.of(new Operation.Sweep()));
        assertEquals(outcome(one, sweep), outcome(other, sweep));

        other.restore(other.snapshot());

        Batch after = new Batch(700_003, List.of(shortRequest("z")));
        List<Object> answers = outcome(one, after);
        assertThat(answers)
                .singleElement()
                .isInstanceOfSatisfying(
                        AcquireAnswer.Granted.class,
                        granted -> assertThat(granted.longestTtlMillis()).isEqualTo(5_000));
        assertEquals(answers, outcome(other, after));
    }

    private static Operation<?> shortRequest(String resource) {
        OwnerId owner = new OwnerId("d~00000000", 8, 0);
        return new Operation.Acquire(AcquireRequest.forVote(resource, owner, LockMode.EX, 1_000, 100, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22})
    void aBatchReadsAsItWasWritten(long seed) {
        RandomOperations operations = new RandomOperations(new Random(seed));
        for (int i = 0; i < 1_000; i++) {
            Batch batch = operations.batch();
            assertEquals(batch, Batch.read(batch.bytes()));
        }
    }

    @Test
    void damageIsFound() {
        byte[] batch = new RandomOperations(new Random(5)).batch().bytes();
        byte[] later = batch.clone();
        later[0]++;
        assertThatThrownBy(() -> Batch.read(later))
                .isInstanceOf(UnreadableException.class)
                .hasMessageContaining("version 2");
        assertThatThrownBy(() -> Batch.read(Arrays.copyOf(batch, batch.length + 1)))
                .isInstanceOf(UnreadableException.class);

        byte[] snapshot = machine().snapshot();
        for (int i = 0; i < snapshot.length; i++) {
            byte[] damaged = snapshot.clone();
            damaged[i] ^= 4;
            assertThatThrownBy(() -> machine().restore(damaged)).isInstanceOf(UnreadableException.class);
        }
        assertThatThrownBy(() -> machine().restore(new byte[3])).isInstanceOf(UnreadableException.class);
    }

    /** The first release's bytes. A later release must still read them. */
    @Test
    void theFormatsStayReadable() {
        AcquireRequest request =
                AcquireRequest.forQueuedVote("x", new OwnerId("c~00000000", 7, 0), LockMode.PR, 30_000, 10_000, 2);
        Batch batch = new Batch(9, List.of(new Operation.Acquire(request), new Operation.Sweep()));

        assertThat(HexFormat.of().formatHex(batch.bytes()))
                .isEqualTo("0100000000000000090000000201000178000e637e30303030303030302f372f3003"
                        + "0000000000007530000000000000271000000002010000000000000000000005");
        LockStateMachine machine = machine();
        machine.apply(batch, push -> {});
        assertThat(HexFormat.of().formatHex(machine.snapshot()))
                .isEqualTo("0000000000000001000000000000000900000000000004000000000000000000000000000000753900000000"
                        + "00000402000000000000000100017800000000000004020000000000004e2900000000000075300000000000"
                        + "004e290000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                        + "01000e637e30303030303030302f372f30000250520000000000000402000000000000753900000000000000"
                        + "000000000000000000000000000000000000000000a385d67a");
    }

    @Test
    void timeNeverGoesBack() {
        LockStateMachine machine = machine();
        machine.apply(new Batch(5_000, List.of()), push -> {});
        AcquireRequest request = AcquireRequest.forVote("x", new OwnerId("c~00000000", 7, 0), LockMode.EX, 100, 100, 1);
        machine.apply(new Batch(10, List.of(new Operation.Acquire(request))), push -> {});
        assertThat(machine.millis()).isEqualTo(5_000);

        AcquireRequest other = AcquireRequest.forVote("x", new OwnerId("d~00000000", 8, 0), LockMode.EX, 100, 100, 1);
        assertThat(machine.apply(new Batch(5_099, List.of(new Operation.Acquire(other))), push -> {}))
                .hasOnlyElementsOfType(AcquireAnswer.Denied.class);
        assertThat(machine.apply(new Batch(5_100, List.of(new Operation.Acquire(other))), push -> {}))
                .hasOnlyElementsOfType(AcquireAnswer.Granted.class);
    }

    @Test
    @SuppressWarnings("NullAway") // an operation that no table can carry out
    void anOperationThatFailsConcernsNoOther() {
        LockStateMachine machine = machine();
        AcquireRequest request = AcquireRequest.forVote("x", new OwnerId("c~00000000", 7, 0), LockMode.EX, 100, 100, 1);
        Operation<?> bad = new Operation.Names(null, 1);

        List<Object> answers = outcome(machine, new Batch(1, List.of(bad, new Operation.Acquire(request))));

        assertThat(answers).hasSize(2);
        assertThat(answers.get(0)).isInstanceOfSatisfying(Unavailable.class, failed -> {
            assertThat(failed.reason()).contains("no server can carry out the request");
            assertThat(failed.maybeExecuted()).isTrue();
        });
        assertThat(answers.get(1)).isInstanceOf(AcquireAnswer.Granted.class);
    }

    /** An entry that cannot be applied would stop all servers, again at each start. */
    @Test
    void aSealOfTheGreatestAgeGetsNoOlder() {
        long greatest = 1L << 42;
        OwnerId owner = new OwnerId("client@host~00000000", 1, 0);
        LockStateMachine machine = machine();
        Seal old = new Seal(owner.toString(), greatest, 10_000);
        outcome(machine, new Batch(1_000, List.of(new Operation.Release(new ReleaseRequest("x", owner, 0, old)))));
        AcquireRequest request = AcquireRequest.forVote("x", owner, LockMode.EX, 1_000, 1_000, 1);

        assertThat(outcome(machine, new Batch(1_500, List.of(new Operation.Acquire(request)))))
                .containsExactly(new AcquireAnswer.Sealed(new Seal(owner.toString(), greatest, 9_500)));
    }
}
