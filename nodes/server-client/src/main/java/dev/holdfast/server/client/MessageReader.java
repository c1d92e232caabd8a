package dev.holdfast.server.client;

import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.node.Unavailable;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A reader that turns a line into its {@link NodeMessage}. */
final class MessageReader {

    private MessageReader() {}

    static NodeMessage.Line line(JsonFields fields) {
        return fields.has("push")
                ? NodeMessage.Line.notice(notice(fields))
                : new NodeMessage.Line(OptionalLong.of(fields.number("id")), answer(fields));
    }

    /** Reads the persistence, which is unknown for an older or a newer server. */
    private static Persistence persistence(JsonFields fields) {
        String told = fields.has("persistence") ? fields.text("persistence") : "";
        return Arrays.stream(Persistence.values())
                .filter(one -> JsonFields.word(one).equals(told))
                .findFirst()
                .orElse(Persistence.UNKNOWN);
    }

    private static NodeMessage answer(JsonFields fields) {
        String answer = fields.text("answer");
        return switch (answer) {
            case "granted" ->
                new NodeMessage.Acquired(new AcquireAnswer.Granted(
                        fields.number("fence"),
                        fields.ticket("contender"),
                        fields.number("latestTicketTime"),
                        fields.value(),
                        fields.numberOr("longestTtlMillis", 0)));
            case "queued" ->
                new NodeMessage.Acquired(new AcquireAnswer.Queued(
                        fields.number("remainingMillis"),
                        fields.number("fence"),
                        fields.smallNumber("place"),
                        blocker(fields),
                        fields.number("latestTicketTime"),
                        fields.numberOr("longestTtlMillis", 0)));
            case "denied" ->
                new NodeMessage.Acquired(new AcquireAnswer.Denied(
                        fields.number("remainingMillis"),
                        fields.constant("reason", AcquireAnswer.Denied.Reason.class),
                        blocker(fields),
                        fields.number("latestTicketTime"),
                        fields.numberOr("longestTtlMillis", 0)));
            case "sealed" -> new NodeMessage.Acquired(new AcquireAnswer.Sealed(seal(fields)));
            case "quarantined" ->
                new NodeMessage.Acquired(new AcquireAnswer.Quarantined(fields.number("remainingMillis")));
            case "released" -> new NodeMessage.Released(new ReleaseAnswer.Released());
            case "absent" -> new NodeMessage.Released(new ReleaseAnswer.Absent());
            case "state" -> new NodeMessage.Inspected(state(fields));
            case "names" ->
                new NodeMessage.Listed(new ListAnswer.Names(fields.texts("names"), fields.truth("complete")));
            case "hello" ->
                new NodeMessage.Hello(
                        fields.text("serverId"),
                        fields.text("version"),
                        fields.number("uptimeMillis"),
                        fields.number("quarantineMillis"),
                        fields.truth("remembers"),
                        persistence(fields));
            case "member" ->
                new NodeMessage.Member(
                        fields.text("cluster"),
                        fields.text("server"),
                        fields.has("groups") ? fields.smallNumber("groups") : 1,
                        fields.text("version"),
                        fields.number("uptimeMillis"));
            case "status" ->
                new NodeMessage.Status(
                        fields.number("uptimeMillis"),
                        fields.number("quarantineMillis"),
                        fields.number("wallMillis"),
                        fields.texts("warnings"));
            case "unavailable" -> new NodeMessage.Failed(unavailable(fields));
            case "refused" -> new NodeMessage.Refused(fields.text("reason"));
            default -> throw new BadMessageException("the field 'answer' is not known");
        };
    }

    private static Unavailable unavailable(JsonFields fields) {
        return new Unavailable(fields.text("reason"), fields.truth("maybeExecuted"));
    }

    private static Seal seal(JsonFields fields) {
        Seal seal = fields.seal();
        if (seal == null) {
            throw new BadMessageException("the field 'seal' is missing");
        }
        return seal;
    }

    private static @Nullable Blocker blocker(JsonFields fields) {
        return fields.part(
                "blocker",
                part -> new Blocker(
                        part.constant("kind", Blocker.Kind.class), part.text("owner"), part.remainingMillis()));
    }

    private static InspectAnswer state(JsonFields fields) {
        return new ResourceState(
                fields.text("resource"),
                fields.number("fence"),
                fields.parts(
                        "holders",
                        part -> new ResourceState.Holder(
                                part.constant("kind", Blocker.Kind.class),
                                part.text("owner"),
                                part.mode(),
                                part.number("fence"),
                                part.remainingMillis())),
                fields.parts(
                        "waiters",
                        part -> new ResourceState.Waiter(
                                part.text("owner"), part.mode(), part.number("remainingMillis"))),
                fields.seal(),
                fields.value());
    }

    private static LockGroups groups(JsonFields fields) {
        if (!fields.has("groups")) {
            return LockGroups.WHOLE;
        }
        try {
            return new LockGroups(fields.smallNumber("of"), Set.copyOf(fields.smallNumbers("groups")));
        } catch (IllegalArgumentException e) {
            throw new BadMessageException("the field 'groups' is wrong: " + e.getMessage());
        }
    }

    private static NodeMessage notice(JsonFields fields) {
        String kind = fields.text("push");
        return switch (kind) {
            case "leads" -> new NodeMessage.Leads(fields.text("cluster"), groups(fields));
            case "follows" -> new NodeMessage.Follows(fields.text("reason"));
            default -> new NodeMessage.Pushed(push(kind, fields));
        };
    }

    private static Push push(String kind, JsonFields fields) {
        String resource = fields.text("resource");
        if (kind.equals("granted")) {
            return new Push.Granted(resource, fields.owner("owner"), fields.number("fence"), fields.value());
        }
        Ticket waiter = fields.ticket("waiter");
        if (!kind.equals("contended") || waiter == null) {
            throw new BadMessageException(
                    "the push is neither 'granted', nor 'contended' with its waiter, nor 'leads', nor 'follows'");
        }
        return new Push.Contended(resource, fields.owner("owner"), fields.number("fence"), waiter, fields.value());
    }
}
