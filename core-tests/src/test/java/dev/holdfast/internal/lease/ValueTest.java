package dev.holdfast.internal.lease;

import static dev.holdfast.Spans.millis;
import static dev.holdfast.Spans.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.WriteOutcome;
import dev.holdfast.node.LockValue;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The value that a holder leaves for the next holder (PROTOCOL §3, "values"). */
class ValueTest {

    private final FakeCluster cluster = new FakeCluster(3);
    private final FakeClient a = cluster.client("a");
    private final FakeClient b = cluster.client("b");

    private WriteOutcome write(Lease lease, String value) {
        return cluster.await(lease.writeValueAsync(value));
    }

    private void release(Lease lease) {
        cluster.await(lease.releaseAsync());
    }

    private LockValue valueAt(int server) {
        return cluster.server(server).state(FakeCluster.resource("x")).value();
    }

    @Test
    void whoComesNextReadsIt() {
        Lease first = a.acquire("x");
        assertThat(first.value()).isEmpty();

        assertThat(write(first, "up to 17")).isEqualTo(WriteOutcome.WRITTEN);

        assertThat(first.value()).contains("up to 17");
        release(first);
        assertThat(b.acquire("x").value()).contains("up to 17");
    }

    @Test
    void whoWaitsReadsItWithTheGrant() {
        Lease first = a.acquire("x");
        CompletableFuture<Lease> next = b.queue("x");
        cluster.advance(millis(100));
        write(first, "late news");
        release(first);

        assertThat(cluster.await(next).value()).contains("late news");
    }

    @Test
    void whoComesAfterACrashReadsIt() {
        Lease first = a.acquire("x");
        write(first, "up to 17");
        CompletableFuture<Lease> next = b.queue("x");
        a.kill();
        cluster.advance(seconds(60));

        assertThat(cluster.await(next).value()).contains("up to 17");
    }

    @Test
    void whatIsEmptyIsNoValue() {
        Lease first = a.acquire("x");
        write(first, "something");
        assertThat(write(first, "")).isEqualTo(WriteOutcome.WRITTEN);

        assertThat(first.value()).isEmpty();
        release(first);
        assertThat(b.acquire("x").value()).isEmpty();
    }

    @Test
    void theLastOfSeveralStays() {
        Lease first = a.acquire("x");
        CompletableFuture<WriteOutcome> one = first.writeValueAsync("one").toCompletableFuture();
        CompletableFuture<WriteOutcome> two = first.writeValueAsync("two").toCompletableFuture();
        CompletableFuture<WriteOutcome> three = first.writeValueAsync("three").toCompletableFuture();
        cluster.await(CompletableFuture.allOf(one, two, three));

        assertThat(first.value()).contains("three");
        release(first);
        assertThat(b.acquire("x").value()).contains("three");
    }

    @Test
    void aMinorityThatIsAwayDoesNotMatter() {
        Lease first = a.acquire("x");
        cluster.server(2).stop();

        assertThat(write(first, "v")).isEqualTo(WriteOutcome.WRITTEN);

        release(first);
        cluster.server(2).start();
        cluster.server(0).stop();
        cluster.advance(millis(200));
        assertThat(b.acquire("x").value()).contains("v");
    }

    @Test
    void withoutAMajorityItIsNotConfirmed() {
        Lease first = a.acquire("x");
        cluster.server(1).stop();
        cluster.server(2).stop();

        assertThat(write(first, "v")).isEqualTo(WriteOutcome.UNCONFIRMED);
        assertThat(first.isHeld()).isTrue();
        assertThat(first.value()).isEmpty();
    }

    @Test
    void whoReadsWhatAMinorityKeepsLetsAMajorityKeepIt() {
        Lease first = a.acquire("x");
        a.nodes(1, 2).forEach(node -> node.requests().lose());
        write(first, "v");
        a.kill();
        cluster.advance(seconds(31));
        assertThat(valueAt(0)).isNotNull();
        assertThat(valueAt(1)).isNull();

        Lease second = b.acquire("x");
        assertThat(second.value()).contains("v");
        cluster.advance(seconds(20));

        assertThat(valueAt(1)).isEqualTo(valueAt(0));
        assertThat(valueAt(2)).isEqualTo(valueAt(0));
    }

    private void restart(int server) {
        cluster.server(server).stop();
        cluster.server(server).startEmpty();
        cluster.advance(seconds(31)); // it votes again
    }

    @Test
    void whoMeetsAValueWritesItBackToANodeThatLacksIt() {
        Lease first = a.acquire("x");
        write(first, "up to 17");
        release(first);
        restart(0);

        release(b.acquire("x"));

        assertThat(valueAt(0)).isEqualTo(valueAt(1)).isNotNull();
    }

    @Test
    void anExtensionThatHealsANodeCarriesTheValue() {
        Lease first = a.acquire("x");
        write(first, "up to 17");

        restart(0);
        cluster.advance(seconds(31));

        assertThat(first.isHeld()).isTrue();
        assertThat(valueAt(0)).isEqualTo(valueAt(1)).isNotNull();
    }

    /** Such a node denies nothing before, so only its new connection says that it may lack the value. */
    @Test
    void soDoesOneThatHealsANodeWithoutQuarantine() {
        Lease first = a.acquire("x");
        write(first, "up to 17");

        cluster.server(0).stop();
        cluster.server(0).startEmpty(Duration.ZERO);
        cluster.advance(seconds(15));

        assertThat(cluster.votes(first)).isEqualTo(3);
        assertThat(valueAt(0)).isEqualTo(valueAt(1)).isNotNull();
    }

    @Test
    void aValueGoesToThoseNodesOnlyThatAreNotKnownToKeepIt() {
        Lease first = a.acquire("x");
        write(first, "up to 17");
        release(first);
        restart(0);
        Lease second = b.acquire("x");
        cluster.advance(seconds(31));
        release(second);
        int asked = b.node(0).acquires().size();

        release(b.acquire("x"));

        assertThat(b.node(0).acquires().subList(0, asked)).anyMatch(request -> request.value() != null);
        assertThat(b.node(1).acquires()).noneMatch(request -> request.value() != null);
        assertThat(b.nodes())
                .allSatisfy(
                        node -> assertThat(node.releases()).isNotEmpty().noneMatch(request -> request.value() != null));
    }

    @Test
    void aReaderLeavesAValueWhereItIs() {
        Lease first = a.acquire("x");
        write(first, "up to 17");
        release(first);
        restart(0);

        release(b.acquire(b.lock("x").mode(LockMode.PR)));

        assertThat(valueAt(0)).isNull();
    }

    @Test
    void aValueThatIsUsedBetweenTwoRestartsOutlivesARollingRestartOfNodesWithoutPersistence() {
        Lease first = a.acquire("x");
        write(first, "up to 17");
        release(first);

        for (int restart = 0; restart < 30; restart++) {
            restart(restart % 3);
            Lease next = b.acquire("x");
            assertThat(next.value()).as("after restart %d", restart).contains("up to 17");
            release(next);
        }
    }

    @Test
    void afterTheLossNothingIsWritten() {
        Lease first = a.acquire(a.lock("x").ttl(seconds(2)).autoExtend(false));
        cluster.advance(seconds(3));

        assertThat(write(first, "v")).isEqualTo(WriteOutcome.LOST);

        assertThat(b.acquire("x").value()).isEmpty();
    }

    @Test
    void afterTheReleaseNothingIsWritten() {
        Lease first = a.acquire("x");
        release(first);

        assertThat(write(first, "v")).isEqualTo(WriteOutcome.LOST);

        assertThat(b.acquire("x").value()).isEmpty();
    }

    @Test
    void aFormerHoldersLateWriteDoesNotReplaceTheNextOnes() {
        Lease first = a.acquire(a.lock("x").ttl(seconds(2)).autoExtend(false));
        a.nodes().forEach(node -> node.requests().hold());
        first.writeValueAsync("old");
        cluster.advance(seconds(3));
        Lease second = b.acquire("x");
        write(second, "new");

        a.nodes().forEach(node -> node.requests().release());
        cluster.advance(seconds(1));
        release(second);

        assertThat(a.acquire("x").value()).contains("new");
    }

    @Test
    void whoIsHandedTheLeaseOnReadsIt() {
        Lease first = a.acquire("x");
        CompletableFuture<Lease> next = a.queue("x");
        write(first, "v");
        release(first);

        Lease second = cluster.await(next);
        assertThat(second.value()).contains("v");
        assertThat(write(second, "w")).isEqualTo(WriteOutcome.WRITTEN);
        assertThat(first.value()).as("what it had").contains("v");
        release(second);
        assertThat(b.acquire("x").value()).contains("w");
    }

    @Test
    void aLeaseThatIsNotExtendedByItselfIsNotExtendedByAWrite() {
        DistributedLock lock = a.lock("x").ttl(seconds(10)).autoExtend(false);
        Lease first = a.acquire(lock);
        cluster.advance(seconds(5));
        Duration before = first.remaining();

        assertThat(write(first, "v")).isEqualTo(WriteOutcome.WRITTEN);

        assertThat(first.remaining()).isLessThanOrEqualTo(before);
    }

    @Test
    void aLeaseThatExtendsItselfIsExtendedByAWrite() {
        Lease first = a.acquire(a.lock("x").ttl(seconds(30)));
        cluster.advance(seconds(5));
        Duration before = first.remaining();

        write(first, "v");

        assertThat(first.remaining()).isGreaterThan(before);
    }

    @Test
    void readersReadAndDoNotWrite() {
        Lease writer = a.acquire(a.lock("x").mode(LockMode.PW));
        assertThat(write(writer, "v")).isEqualTo(WriteOutcome.WRITTEN);
        release(writer);

        for (LockMode mode : new LockMode[] {LockMode.NL, LockMode.CR, LockMode.CW, LockMode.PR}) {
            Lease reader = b.acquire(b.lock("x").mode(mode));
            assertThat(reader.value()).as("in mode " + mode).isEqualTo(Optional.of("v"));
            assertThatThrownBy(() -> reader.writeValue("w"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("lease of 'x' is held in mode " + mode + ", but a value is written in EX or PW");
            release(reader);
        }
    }

    @Test
    void aValueHasItsLimits() {
        Lease lease = a.acquire("x");

        assertThatThrownBy(() -> lease.writeValue("ä".repeat(512) + "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the value has 1025 bytes of UTF-8, but may have 1024 at most");
        assertThatThrownBy(() -> lease.writeValue("\uD83D"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("surrogate");
        String longest = "ä".repeat(512);
        assertThat(write(lease, longest)).isEqualTo(WriteOutcome.WRITTEN);
        release(lease);
        assertThat(b.acquire("x").value()).contains(longest);
    }

    @Test
    void peopleSeeIt() {
        Lease lease = a.acquire("x");
        write(lease, "up to 17");

        assertThat(valueAt(0).text()).isEqualTo("up to 17");
        assertThat(valueAt(0).token()).isEqualTo(lease.fencingToken());
    }
}
