package dev.holdfast.cli.output;

import dev.holdfast.internal.time.DurationText;
import dev.holdfast.lock.LockStatus;
import dev.holdfast.lock.LockStatus.Holder;
import dev.holdfast.lock.LockStatus.NodeState;
import dev.holdfast.lock.LockStatus.Writer;
import dev.holdfast.lock.SealedWork;
import dev.holdfast.node.OwnerId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A report of a lock's status, as a table and as JSON. */
public record StatusReport(LockStatus status) {

    /** Returns the lock's state in one word, as far as the nodes that answered show it. */
    String state() {
        if (!status.hasQuorum()) {
            return "unknown";
        }
        if (status.holders().stream().anyMatch(Holder::hasMajority)) {
            return "held";
        }
        if (status.seal().isPresent()) {
            return "sealed";
        }
        return status.holders().isEmpty() && status.waiters().isEmpty() ? "free" : "undecided";
    }

    private long sealedMillis() {
        return status.seal().map(StatusReport::millis).orElse(0L);
    }

    /** Returns how long the seal lasts; -1 for a seal without end, which is part of the JSON format. */
    private static long millis(SealedWork seal) {
        Duration remaining = seal.remaining();
        return remaining == null ? -1 : remaining.toMillis();
    }

    // ---- for people

    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(Printable.line(status.name())).append(": ").append(state());
        status.seal()
                .ifPresent(seal -> text.append(", done by ")
                        .append(Printable.line(seal.displayBy()))
                        .append(' ')
                        .append(left(seal.ago()))
                        .append(" ago, sealed for ")
                        .append(left(seal.remaining()))
                        .append(" more"));
        text.append("  (")
                .append(status.answered())
                .append(" of ")
                .append(status.nodes().size());
        text.append(" nodes answered)\n");
        status.value()
                .ifPresent(value ->
                        text.append("\nvalue: ").append(Printable.line(value)).append('\n'));
        part(text, holders());
        part(text, waiters());
        part(text, nodes());
        return text.toString();
    }

    private static void part(StringBuilder text, Table table) {
        if (!table.isEmpty()) {
            text.append('\n').append(table);
        }
    }

    private Table holders() {
        Table table = new Table("HOLDER", "MODE", "TOKEN", "LEFT", "VOTES", "");
        for (Holder holder : status.holders()) {
            table.row(
                    Printable.line(holder.name()),
                    holder.mode(),
                    holder.token() == 0 ? "" : holder.token(),
                    left(holder.remaining()),
                    holder.votes() + " of " + status.nodes().size(),
                    remark(holder));
        }
        return table;
    }

    private static String remark(Holder holder) {
        if (holder.kind() == Writer.HOLDFAST) {
            return holder.hasMajority() ? " " : "no majority";
        }
        return "not written by Holdfast";
    }

    private Table waiters() {
        Table table = new Table("PLACE", "WAITING", "MODE", "ENTRY LASTS");
        List<LockStatus.Waiter> waiters = status.waiters();
        for (int place = 0; place < waiters.size(); place++) {
            LockStatus.Waiter waiter = waiters.get(place);
            table.row(place + 1, Printable.line(waiter.name()), waiter.mode(), left(waiter.remaining()));
        }
        return table;
    }

    private Table nodes() {
        Table table = new Table("NODE", "VOTE", "FENCE", "LEFT", "QUEUE");
        for (NodeState node : status.nodes()) {
            if (node.state().isEmpty()) {
                table.row(node.node(), node.problem(), "", "", "");
                continue;
            }
            LockStatus.LockState state = node.state().get();
            String fence = state.fence() == 0 ? "" : Long.toString(state.fence());
            String queue = Integer.toString(state.waiters().size());
            for (LockStatus.Vote vote : state.holders()) {
                table.row(
                        node.node(),
                        vote.mode() + " " + Printable.line(vote.name()),
                        fence,
                        left(vote.remaining()),
                        queue);
            }
            if (state.holders().isEmpty()) {
                table.row(node.node(), "none", fence, "", queue);
            }
        }
        return table;
    }

    private static String left(@Nullable Duration remaining) {
        return remaining == null ? "no end" : DurationText.of(remaining);
    }

    // ---- for programs

    public String json() {
        return JsonText.object(json -> {
            json.field("lock", status.name())
                    .field("state", state())
                    .field("hasMajority", status.hasQuorum())
                    .field("answered", (long) status.answered())
                    .field("sealedMillis", sealedMillis())
                    .field("sealedBy", status.seal().map(SealedWork::by).orElse(null))
                    .field("value", status.value().orElse(null));
            json.objects("holders", status.holders(), holder -> holder(json, holder));
            json.objects("waiters", status.waiters(), waiter -> waiter(json, waiter));
            json.objects("nodes", status.nodes(), node -> node(json, node));
        });
    }

    private static void holder(JsonText json, Holder holder) {
        json.field("owner", holder.owner())
                .field("client", client(holder.owner()))
                .field("name", holder.name())
                .field("kind", kind(holder.kind()))
                .field("mode", holder.mode().name())
                .field("token", holder.token())
                .field("remainingMillis", endless(holder.remaining()))
                .field("votes", (long) holder.votes())
                .field("hasMajority", holder.hasMajority());
    }

    private static void waiter(JsonText json, LockStatus.Waiter waiter) {
        json.field("owner", withoutRound(waiter.owner()))
                .field("client", client(waiter.owner()))
                .field("name", waiter.name())
                .field("mode", waiter.mode().name())
                .field("remainingMillis", waiter.remaining().toMillis());
    }

    private static void node(JsonText json, NodeState node) {
        json.field("node", node.node()).field("problem", node.problem().isEmpty() ? null : node.problem());
        node.state().ifPresent(state -> {
            json.field("fence", state.fence())
                    .field(
                            "sealedMillis",
                            state.seal().map(StatusReport::millis).orElse(0L));
            json.objects(
                    "votes",
                    state.holders(),
                    vote -> json.field("owner", vote.owner())
                            .field("client", client(vote.owner()))
                            .field("name", vote.name())
                            .field("kind", kind(vote.kind()))
                            .field("mode", vote.mode().name())
                            .field("fence", vote.fence())
                            .field("remainingMillis", endless(vote.remaining())));
            json.objects("waiters", state.waiters(), waiter -> waiter(json, waiter));
        });
    }

    /** Returns the readable part of the client in an owner id, or all of the text if Holdfast did not write it. */
    private static String client(String owner) {
        int tilde = owner.indexOf('~');
        return tilde > 0 ? owner.substring(0, tilde) : owner;
    }

    private static String kind(Writer kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable Long endless(@Nullable Duration remaining) {
        return remaining == null ? null : Long.valueOf(remaining.toMillis());
    }

    private static String withoutRound(String owner) {
        return OwnerId.parse(owner).map(OwnerId::withoutRound).orElse(owner);
    }
}
