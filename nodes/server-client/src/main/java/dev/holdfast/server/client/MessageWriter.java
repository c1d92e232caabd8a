package dev.holdfast.server.client;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Unavailable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A writer that turns a {@link NodeMessage} into its line; {@link MessageReader} does the reverse. */
final class MessageWriter {

    private MessageWriter() {}

    static String text(NodeMessage.Line line) {
        ObjectNode object = JsonFields.object();
        line.id().ifPresent(id -> object.put("id", id));
        NodeMessage message = line.message();
        if (message instanceof NodeMessage.Acquired acquired) {
            put(object, acquired.answer());
        } else if (message instanceof NodeMessage.Released released) {
            put(object, released.answer());
        } else if (message instanceof NodeMessage.Pushed pushed) {
            put(object, pushed.push());
        } else if (message instanceof NodeMessage.Inspected inspected) {
            put(object, inspected.answer());
        } else if (message instanceof NodeMessage.Listed listed) {
            put(object, listed.answer());
        } else if (message instanceof NodeMessage.Hello hello) {
            object.put("answer", "hello")
                    .put("serverId", hello.serverId())
                    .put("version", hello.version())
                    .put("uptimeMillis", hello.uptimeMillis())
                    .put("quarantineMillis", hello.quarantineMillis())
                    .put("remembers", hello.remembers())
                    .put("persistence", JsonFields.word(hello.persistence()));
        } else if (message instanceof NodeMessage.Member member) {
            object.put("answer", "member")
                    .put("cluster", member.cluster())
                    .put("server", member.server())
                    .put("version", member.version())
                    .put("uptimeMillis", member.uptimeMillis());
            if (member.groups() > 1) {
                object.put("groups", member.groups());
            }
        } else if (message instanceof NodeMessage.Leads leads) {
            put(object.put("push", "leads").put("cluster", leads.cluster()), leads.groups());
        } else if (message instanceof NodeMessage.Follows follows) {
            object.put("push", "follows").put("reason", follows.reason());
        } else if (message instanceof NodeMessage.Status status) {
            object.put("answer", "status")
                    .put("uptimeMillis", status.uptimeMillis())
                    .put("quarantineMillis", status.quarantineMillis())
                    .put("wallMillis", status.wallMillis());
            ArrayNode warnings = object.putArray("warnings");
            status.warnings().forEach(warnings::add);
        } else if (message instanceof NodeMessage.Failed failed) {
            put(object, failed.why());
        } else if (message instanceof NodeMessage.Refused refused) {
            object.put("answer", "refused").put("reason", refused.reason());
        }
        return JsonTree.text(object);
    }

    private static void put(ObjectNode object, LockGroups groups) {
        if (groups.count() > 1) {
            ArrayNode array = object.put("of", groups.count()).putArray("groups");
            groups.led().stream().sorted().forEach(array::add);
        }
    }

    private static void put(ObjectNode object, AcquireAnswer answer) {
        if (answer.longestTtlMillis() > 0) {
            object.put("longestTtlMillis", answer.longestTtlMillis());
        }
        if (answer instanceof AcquireAnswer.Granted granted) {
            object.put("answer", "granted")
                    .put("fence", granted.fence())
                    .put("latestTicketTime", granted.latestTicketTime());
            JsonFields.put(object, "contender", granted.contender());
            JsonFields.put(object, granted.value());
        } else if (answer instanceof AcquireAnswer.Queued queued) {
            object.put("answer", "queued")
                    .put("remainingMillis", queued.remainingMillis())
                    .put("fence", queued.fence())
                    .put("place", queued.place())
                    .put("latestTicketTime", queued.latestTicketTime());
            put(object, queued.blocker());
        } else if (answer instanceof AcquireAnswer.Denied denied) {
            object.put("answer", "denied")
                    .put("remainingMillis", denied.remainingMillis())
                    .put("reason", JsonFields.word(denied.reason()))
                    .put("latestTicketTime", denied.latestTicketTime());
            put(object, denied.blocker());
        } else if (answer instanceof AcquireAnswer.Sealed done) {
            JsonFields.put(object.put("answer", "sealed"), done.seal());
        } else if (answer instanceof AcquireAnswer.Quarantined quarantined) {
            object.put("answer", "quarantined").put("remainingMillis", quarantined.remainingMillis());
        } else if (answer instanceof Unavailable unavailable) {
            put(object, unavailable);
        }
    }

    private static void put(ObjectNode object, ReleaseAnswer answer) {
        if (answer instanceof Unavailable unavailable) {
            put(object, unavailable);
        } else {
            object.put("answer", answer instanceof ReleaseAnswer.Released ? "released" : "absent");
        }
    }

    private static void put(ObjectNode object, InspectAnswer answer) {
        if (answer instanceof Unavailable unavailable) {
            put(object, unavailable);
        } else if (answer instanceof ResourceState state) {
            object.put("answer", "state").put("resource", state.resource()).put("fence", state.fence());
            ArrayNode holders = object.putArray("holders");
            for (ResourceState.Holder holder : state.holders()) {
                holders.addObject()
                        .put("kind", JsonFields.word(holder.kind()))
                        .put("owner", holder.owner())
                        .put("mode", holder.mode().name())
                        .put("fence", holder.fence())
                        .put("remainingMillis", JsonFields.number(holder.remainingMillis()));
            }
            ArrayNode waiters = object.putArray("waiters");
            for (ResourceState.Waiter waiter : state.waiters()) {
                waiters.addObject()
                        .put("owner", waiter.owner())
                        .put("mode", waiter.mode().name())
                        .put("remainingMillis", waiter.remainingMillis());
            }
            JsonFields.put(object, state.seal());
            JsonFields.put(object, state.value());
        }
    }

    private static void put(ObjectNode object, ListAnswer answer) {
        if (answer instanceof Unavailable unavailable) {
            put(object, unavailable);
        } else if (answer instanceof ListAnswer.Names names) {
            ArrayNode array = object.put("answer", "names")
                    .put("complete", names.complete())
                    .putArray("names");
            names.names().forEach(array::add);
        }
    }

    private static void put(ObjectNode object, Push push) {
        object.put("push", push instanceof Push.Granted ? "granted" : "contended")
                .put("resource", push.resource())
                .put("owner", push.owner().toString())
                .put("fence", push.fence());
        if (push instanceof Push.Contended contended) {
            JsonFields.put(object, "waiter", contended.waiter());
        }
        JsonFields.put(object, push.value());
    }

    private static void put(ObjectNode object, Unavailable unavailable) {
        object.put("answer", "unavailable")
                .put("reason", unavailable.reason())
                .put("maybeExecuted", unavailable.maybeExecuted());
    }

    private static void put(ObjectNode object, @Nullable Blocker blocker) {
        if (blocker != null) {
            object.putObject("blocker")
                    .put("kind", JsonFields.word(blocker.kind()))
                    .put("owner", blocker.owner())
                    .put("remainingMillis", JsonFields.number(blocker.remainingMillis()));
        }
    }
}
