package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import org.junit.jupiter.api.Test;

/** Lock values: PROTOCOL §3. */
abstract class ValueContract extends ReleaseContract {

    private LockValue write(ContractClient party, long ticket, long number, String text) {
        long fence = party.ask(resource, ticket).granted().fence();
        return write(party, ticket, fence, number, text);
    }

    private LockValue write(ContractClient party, long ticket, long fence, long number, String text) {
        LockValue value = new LockValue(fence, number, text);
        party.ask(resource, ticket).heal(fence).write(value).granted();
        return value;
    }

    @Test
    void whoComesNextIsToldTheValue() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        LockValue value = write(a, 10, 1, "up to 17");
        a.release(resource, 10);

        assertThat(b.ask(resource, 11).granted().value()).isEqualTo(value);
        assertThat(b.ask(resource, 11).granted().value()).as("asked again").isEqualTo(value);
        assertThat(a.inspect(resource).value()).isEqualTo(value);
    }

    @Test
    void whereNothingWasWrittenThereIsNoValue() {
        ContractClient a = party("a");

        assertThat(a.ask(resource, 10).granted().value()).isNull();
        assertThat(a.inspect(resource).value()).isNull();
    }

    @Test
    void anExtensionIsNotToldTheValue() {
        ContractClient a = party("a");
        LockValue value = write(a, 10, 1, "x");

        assertThat(a.ask(resource, 10).heal(value.token()).granted().value()).isNull();
    }

    @Test
    void whoIsGrantedFromTheQueueIsToldTheValueWithThePush() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        LockValue value = write(a, 10, 1, "100 %\n|of %0A it");
        b.ask(resource, 11).queue().queued();
        a.release(resource, 10);

        b.granted(resource, 11);
        assertThat(b.allPushes(resource)).first().extracting(Push::value).isEqualTo(value);
    }

    @Test
    void aHolderInTheWayIsToldTheValueWithThePush() {
        ContractClient a = party("a");
        LockValue value = write(a, 10, 1, "x");
        party("b").ask(resource, 9).queue().queued();

        assertThat(a.contended(resource, 10).value()).isEqualTo(value);
    }

    @Test
    void theLaterValueStays() {
        ContractClient a = party("a");
        LockValue second = write(a, 10, 2, "second");
        long fence = second.token();

        write(a, 10, fence, 1, "first, late");
        assertThat(a.inspect(resource).value()).isEqualTo(second);
        a.ask(resource, 10)
                .heal(fence)
                .write(new LockValue(fence - 1, 9, "older"))
                .granted();
        assertThat(a.inspect(resource).value()).isEqualTo(second);
        LockValue third = write(a, 10, fence, 3, "third");
        assertThat(a.inspect(resource).value()).isEqualTo(third);
    }

    @Test
    void whoHasNoVoteWritesNothing() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        LockValue value = write(a, 10, 1, "a's");
        long later = value.token() + 1;

        b.ask(resource, 11).heal(later).write(new LockValue(later, 1, "b's")).denied(Denied.Reason.NO_VOTE);

        assertThat(b.inspect(resource).value()).isEqualTo(value);
    }

    @Test
    void whoIsHealedWrites() {
        ContractClient a = party("a");
        LockValue value = write(a, 10, 1, "x");
        a.release(resource, 10);

        LockValue healed = new LockValue(value.token() + 5, 1, "healed");
        a.ask(resource, 11).heal(healed.token()).write(healed).granted();

        assertThat(a.inspect(resource).value()).isEqualTo(healed);
    }

    @Test
    void anEmptyValueIsWrittenToo() {
        ContractClient a = party("a");
        LockValue value = write(a, 10, 1, "x");
        LockValue empty = write(a, 10, value.token(), 2, "");
        a.release(resource, 10);

        assertThat(a.ask(resource, 11).granted().value()).isEqualTo(empty);
    }

    @Test
    void sharedLocksKeepAValueToo() {
        ContractClient a = party("a");
        long fence = a.ask(resource, 10).mode(LockMode.PW).granted().fence();
        LockValue value = new LockValue(fence, 1, "x");
        a.ask(resource, 10).mode(LockMode.PW).heal(fence).write(value).granted();

        assertThat(party("b").ask(resource, 11).mode(LockMode.CR).granted().value())
                .isEqualTo(value);
        assertThat(party("c").ask(resource, 12).mode(LockMode.NL).granted().value())
                .isEqualTo(value);
    }

    @Test
    void aValueOfFullLengthInAnyLanguageIsKept() {
        ContractClient a = party("a");
        LockValue value = write(a, 10, 1, "\u00e4".repeat(LockValue.MOST_BYTES / 2));
        a.release(resource, 10);

        assertThat(a.ask(resource, 11).granted().value()).isEqualTo(value);
    }

    @Test
    void aValueDoesNotCountAsUse() {
        ContractClient a = party("a");
        write(a, 10, 1, "x");
        a.release(resource, 10);

        assertThat(a.list(resource, 10).names()).isEmpty();
    }

    private ReleaseRequest releasing(ContractClient party, long ticket, LockValue value) {
        return new ReleaseRequest(resource, party.owner(ticket), 0, null, value);
    }

    @Test
    void aReleaseWritesTheValueBack() {
        ContractClient a = party("a");
        long fence = a.ask(resource, 10).granted().fence();
        LockValue value = new LockValue(fence, 1, "100 %\n|of %0A it");

        assertThat(a.release(releasing(a, 10, value))).isInstanceOf(ReleaseAnswer.Released.class);

        assertThat(party("b").ask(resource, 11).granted().value()).isEqualTo(value);
    }

    @Test
    void whoWaitsIsToldWhatTheReleaseWroteBack() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        long fence = a.ask(resource, 10).granted().fence();
        LockValue value = new LockValue(fence, 1, "x");
        b.ask(resource, 11).queue().queued();

        a.release(releasing(a, 10, value));

        b.granted(resource, 11);
        assertThat(b.allPushes(resource)).first().extracting(Push::value).isEqualTo(value);
    }

    @Test
    void aReleaseReplacesNoLaterValue() {
        ContractClient a = party("a");
        LockValue later = write(a, 10, 2, "later");

        a.release(releasing(a, 10, new LockValue(later.token(), 1, "earlier")));

        assertThat(a.inspect(resource).value()).isEqualTo(later);
    }

    @Test
    void aReleaseWithoutAVoteWritesNothingBack() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        LockValue value = write(a, 10, 1, "a's");
        b.ask(resource, 11).queue().queued();

        LockValue later = new LockValue(value.token() + 5, 1, "b's");
        assertThat(b.release(releasing(b, 11, later))).isInstanceOf(ReleaseAnswer.Absent.class);

        assertThat(b.inspect(resource).value()).isEqualTo(value);
    }

    @Test
    void aReleaseOfASharedVoteWritesBackIfItKeptOtherWritersOut() {
        ContractClient a = party("a");
        ContractClient b = party("b");
        long reads = a.ask(resource, 10).mode(LockMode.PR).granted().fence();
        a.release(releasing(a, 10, new LockValue(reads, 1, "by a reader")));
        assertThat(a.inspect(resource).value()).isNull();
        b.ask(resource, 11).mode(LockMode.CR).granted();
        long writes = a.ask(resource, 12).mode(LockMode.PW).granted().fence();
        LockValue value = new LockValue(writes, 1, "by a writer");

        a.release(releasing(a, 12, value));

        assertThat(a.inspect(resource).value()).isEqualTo(value);
        assertThat(owners(a.inspect(resource))).containsExactly(b.owner(11).toString());
    }

    @Test
    void aReleaseBuriesSealsAndWritesBackAtOnce() {
        ContractClient a = party("a");
        long fence = a.ask(resource, 10).granted().fence();
        LockValue value = new LockValue(fence, 1, "x");

        a.release(new ReleaseRequest(resource, a.owner(10), SHORT_MILLIS, Seal.now(a.owner(10), SHORT_MILLIS), value));

        a.ask(resource, 11).sealed();
        assertThat(a.inspect(resource).value()).isEqualTo(value);
        elapseMillis(SHORT_MILLIS);
        assertThat(a.ask(resource, 12).granted().value()).isEqualTo(value);
    }
}
