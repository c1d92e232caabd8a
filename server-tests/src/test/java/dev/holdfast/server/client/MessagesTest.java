package dev.holdfast.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A written message is read unchanged, with any name in it; a text that is not a message is rejected with the name of the field. */
class MessagesTest {

    private static final OwnerId OWNER =
            OwnerId.parse("billing@host-7~a1b2c3d4e5f6/1763770000000000/0").orElseThrow();
    private static final String ODD = "a\"b\\c\n{\"id\":9}\u2028\u0000\uD83D\uDD12 é";
    private static final LockValue VALUE = new LockValue(7, 3, ODD);
    private static final Seal SEAL = new Seal(OWNER.toString(), 5, 60_000);

    static Stream<NodeRequest> requests() {
        return Stream.of(
                new NodeRequest.Hello(NodeRequest.PROTOCOL, OWNER.client()),
                new NodeRequest.Acquire(new AcquireRequest(
                        ODD,
                        OWNER,
                        LockMode.EX,
                        new AcquireRequest.Terms(30_000, 10_000, 1),
                        true,
                        new AcquireRequest.Update(1, false, VALUE))),
                new NodeRequest.Acquire(
                        AcquireRequest.forVote("a", OWNER, LockMode.PR, 1, 1, 1).extending(1L << 52, null)),
                new NodeRequest.Release(new ReleaseRequest("a", OWNER, 0, SEAL, VALUE)),
                new NodeRequest.Release(new ReleaseRequest("a", OWNER, 250, null, null)),
                new NodeRequest.Inspect(ODD),
                new NodeRequest.Names(ODD, 1),
                new NodeRequest.Status());
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aRequestIsReadAsItWasWritten(NodeRequest request) {
        NodeRequest.Numbered numbered = new NodeRequest.Numbered(Long.MAX_VALUE, request);

        assertThat(numbered.text().lines()).as("one line").hasSize(1);
        assertThat(NodeRequest.Numbered.parse(numbered.text())).isEqualTo(numbered);
    }

    static Stream<NodeMessage.Line> messages() {
        Blocker blocker = new Blocker(Blocker.Kind.values()[0], ODD, OptionalLong.of(12));
        Blocker endless = new Blocker(Blocker.Kind.values()[0], ODD, OptionalLong.empty());
        return Stream.of(
                        new NodeMessage.Hello("id", "holdfast 0.1.0", 1, 2, true, Persistence.UNKNOWN),
                        new NodeMessage.Member("shop", "b", 1, "holdfast 0.1.0", 1),
                        new NodeMessage.Member("shop", "b", 3, "holdfast 0.1.0", 1),
                        new NodeMessage.Status(1, 2, 3, List.of(ODD, "")),
                        new NodeMessage.Acquired(
                                new AcquireAnswer.Granted(1L << 52, new Ticket(4, OWNER.client()), 5, VALUE, 6)),
                        new NodeMessage.Acquired(new AcquireAnswer.Granted(1, null, 0, null, 0)),
                        new NodeMessage.Acquired(new AcquireAnswer.Queued(1, 2, 3, blocker, 4, 5)),
                        new NodeMessage.Acquired(new AcquireAnswer.Queued(0, 2, 3, endless, 4, 5)),
                        new NodeMessage.Acquired(
                                new AcquireAnswer.Denied(1, AcquireAnswer.Denied.Reason.values()[0], blocker, 4, 5)),
                        new NodeMessage.Acquired(new AcquireAnswer.Sealed(SEAL)),
                        new NodeMessage.Acquired(new AcquireAnswer.Sealed(new Seal(ODD, 5, OptionalLong.empty()))),
                        new NodeMessage.Acquired(new AcquireAnswer.Quarantined(9)),
                        new NodeMessage.Released(new ReleaseAnswer.Released()),
                        new NodeMessage.Released(new ReleaseAnswer.Absent()),
                        new NodeMessage.Inspected(new ResourceState(
                                ODD,
                                8,
                                List.of(new ResourceState.Holder(
                                        Blocker.Kind.values()[0],
                                        OWNER.toString(),
                                        LockMode.EX,
                                        8,
                                        OptionalLong.of(9))),
                                List.of(new ResourceState.Waiter(OWNER.toString(), LockMode.PR, 10)),
                                SEAL,
                                VALUE)),
                        new NodeMessage.Listed(new ListAnswer.Names(List.of(ODD), false)),
                        new NodeMessage.Failed(new Unavailable(ODD, true)),
                        new NodeMessage.Refused(ODD))
                .map(message -> NodeMessage.Line.answer(3, message));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void anAnswerIsReadAsItWasWritten(NodeMessage.Line line) {
        assertThat(line.text().lines()).as("one line").hasSize(1);
        assertThat(NodeMessage.Line.parse(line.text())).isEqualTo(line);
    }

    @Test
    void aPushIsReadAsItWasWritten() {
        List<Push> pushes = List.of(
                new Push.Granted(ODD, OWNER, 1, VALUE),
                new Push.Contended(ODD, OWNER, 1, new Ticket(4, OWNER.client()), null));

        assertThat(pushes).allSatisfy(push -> {
            NodeMessage.Line line = NodeMessage.Line.push(push);
            assertThat(NodeMessage.Line.parse(line.text())).isEqualTo(line);
        });
    }

    @Test
    void aNoticeIsReadAsItWasWritten() {
        assertThat(List.of(
                        new NodeMessage.Leads("shop#3f9a21c4", LockGroups.WHOLE),
                        new NodeMessage.Leads("shop", new LockGroups(3, Set.of(0, 2))),
                        new NodeMessage.Follows(ODD)))
                .allSatisfy(notice -> {
                    NodeMessage.Line line = NodeMessage.Line.notice(notice);
                    assertThat(NodeMessage.Line.parse(line.text())).isEqualTo(line);
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"of\":3,\"groups\":[3]",
                "\"of\":3,\"groups\":[-1]",
                "\"of\":65,\"groups\":[0]",
                "\"of\":0,\"groups\":[]",
                "\"of\":3,\"groups\":[\"0\"]",
                "\"groups\":[0]"
            })
    void groupsThatCannotBeAreRefused(String fields) {
        assertThatThrownBy(() -> NodeMessage.Line.parse("{\"push\":\"leads\"," + fields + "}"))
                .isInstanceOf(BadMessageException.class);
    }

    /** A server of the version before sends neither of the two. */
    @Test
    void whatOlderServersLeaveOutHasItsDefault() {
        NodeMessage hello = NodeMessage.Line.parse(
                        "{\"id\":1,\"answer\":\"hello\",\"serverId\":\"s\",\"version\":\"v\","
                                + "\"uptimeMillis\":1,\"quarantineMillis\":0,\"remembers\":true}")
                .message();
        NodeMessage granted = NodeMessage.Line.parse(
                        "{\"id\":1,\"answer\":\"granted\",\"fence\":1,\"latestTicketTime\":0,\"of a later version\":[{}]}")
                .message();

        assertThat(((NodeMessage.Hello) hello).persistence()).isEqualTo(Persistence.UNKNOWN);
        assertThat(granted).isEqualTo(new NodeMessage.Acquired(new AcquireAnswer.Granted(1, null, 0, null, 0)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":1,\"op\":\"hello\",\"protocol\":4294967297,\"client\":\"a@b~00000001\"}",
                "{\"id\":1,\"op\":\"hello\",\"protocol\":1,\"client\":\"a/b\"}",
                "{\"id\":1,\"op\":\"inspect\",\"resource\":null}",
                "{\"id\":1,\"op\":\"list\",\"prefix\":\"\",\"limit\":0}",
                "{\"id\":true,\"op\":\"status\"}",
                "{\"id\":1,\"op\":\"STATUS\"}",
            })
    void aBadRequestIsRefusedByAFieldAndQuotesNothing(String line) {
        assertThatThrownBy(() -> NodeRequest.Numbered.parse(line))
                .isInstanceOf(BadMessageException.class)
                .hasMessageStartingWith("the field '")
                .hasMessageNotContaining("a/b");
    }
}
