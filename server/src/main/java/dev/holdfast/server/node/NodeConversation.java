package dev.holdfast.server.node;

import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.Permission;
import dev.holdfast.server.client.NodeMessage;
import dev.holdfast.server.client.NodeRequest;
import dev.holdfast.server.log.AuditLog;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.socket.Conversation;
import dev.holdfast.server.socket.SocketWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The conversation of the server, as a node, with one client: it reads each {@link NodeRequest}, and sends each {@link NodeMessage}. An invalid line ends the
 * connection, with the reason.
 *
 * <p>The client's votes and queue positions outlast the connection until they expire, as on every node.
 */
public final class NodeConversation implements Conversation, NodeListener {

    /** The maximum number of pending characters; a listing or an inspection of the largest lock fits. */
    public static final int MOST_CHARS_BEHIND = 2 * NodeRequest.MOST_FRAME_CHARS;

    private static final int LONGEST_RESOURCE = 2_048;
    private static final int MOST_NAMES = 10_000;
    private static final int MOST_CHARS_LISTED = NodeRequest.MOST_FRAME_CHARS / 4;

    private final ServedNode served;
    private final NodeClients clients;
    private final AuditLog audit;
    private final NodeLimits limits;
    private final Caller caller;
    private final SocketWriter writer;
    private volatile @Nullable String client;
    private volatile @Nullable LockNode node;
    private volatile boolean ofCluster;
    private volatile boolean over;

    NodeConversation(
            ServedNode served,
            NodeClients clients,
            AuditLog audit,
            NodeLimits limits,
            Caller caller,
            SocketWriter writer) {
        this.audit = audit;
        this.limits = limits;
        this.served = served;
        this.clients = clients;
        this.caller = caller;
        this.writer = writer;
    }

    @Override
    public void hear(String frame) {
        try {
            frame.lines().takeWhile(line -> !writer.isOver()).forEach(line -> hear(NodeRequest.Numbered.parse(line)));
        } catch (IllegalArgumentException e) {
            writer.close(SocketWriter.PROTOCOL, Printable.of(String.valueOf(e.getMessage())));
        }
    }

    private void hear(NodeRequest.Numbered numbered) {
        long id = numbered.id();
        NodeRequest request = numbered.request();
        LockNode at = node;
        if (request instanceof NodeRequest.Hello hello) {
            greet(id, hello);
        } else if (at == null) {
            throw new IllegalArgumentException("the first request must be a hello");
        } else if (request instanceof NodeRequest.Acquire acquire) {
            if (mayAcquire(id, acquire.request())) {
                served.noteAsked(acquire.request().resource());
                answer(id, at.acquire(acquire.request()), NodeMessage.Acquired::new);
            }
        } else if (request instanceof NodeRequest.Release release) {
            if (mayRelease(id, release.request())) {
                if (release.request().seal() != null) {
                    served.noteAsked(release.request().resource());
                }
                answer(id, audited(release.request(), at.release(release.request())), NodeMessage.Released::new);
            }
        } else if (request instanceof NodeRequest.Inspect inspect) {
            if (may(id, Permission.READ, inspect.resource())) {
                answer(id, at.inspect(inspect.resource()), NodeMessage.Inspected::new);
            }
        } else if (request instanceof NodeRequest.Names names) {
            if (may(id, Permission.READ, names.prefix())) {
                answer(
                        id,
                        at.list(names.prefix(), Math.min(names.limit(), MOST_NAMES)),
                        found -> new NodeMessage.Listed(fitting(found)));
            }
        } else {
            answer(id, served.status(at), status -> status);
        }
    }

    private void greet(long id, NodeRequest.Hello hello) {
        if (hello.protocol() != NodeRequest.PROTOCOL) {
            refuse(
                    id,
                    "the client speaks version " + hello.protocol() + " of the node protocol, and this server version "
                            + NodeRequest.PROTOCOL);
        } else if (node != null) {
            throw new IllegalArgumentException("a hello is only the first request, and this connection has sent one");
        } else if (!clients.add(hello.client(), caller, this)) {
            refuse(id, "a client of this name is connected with another token");
        } else {
            client = hello.client();
            NodeMessage introduction = served.introduction();
            ofCluster = introduction instanceof NodeMessage.Member;
            writer.send(NodeMessage.Line.answer(id, introduction).text()); // before the notices of the connection
            node = served.connect(hello.client(), this);
            if (over) { // the client had disconnected before it was known here
                leave();
            }
        }
    }

    private <A> void answer(long id, CompletionStage<A> answer, Function<A, NodeMessage> form) {
        answer.thenAccept(given -> writer.send(
                        NodeMessage.Line.answer(id, form.apply(given)).text()))
                .exceptionally(failure -> {
                    refuse(id, "the node failed: " + failure);
                    return null;
                });
    }

    private void refuse(long id, String reason) {
        writer.send(NodeMessage.Line.answer(id, new NodeMessage.Refused(reason)).text());
    }

    // ---- permissions

    private boolean mayAcquire(long id, AcquireRequest request) {
        return isWithin(id, limits.problem(request)) && may(id, request.owner(), request.value(), request.resource());
    }

    private boolean mayRelease(long id, ReleaseRequest request) {
        Seal seal = request.seal();
        if (seal != null && seal.by().length() > LONGEST_RESOURCE) {
            throw new IllegalArgumentException("a seal's 'by' has more than " + LONGEST_RESOURCE + " characters");
        }
        return isWithin(id, limits.problem(request)) && may(id, request.owner(), request.value(), request.resource());
    }

    /** Returns whether there is no problem with the numbers of a request; otherwise refuses the request. */
    private boolean isWithin(long id, @Nullable String problem) {
        if (problem != null) {
            refuse(id, problem);
        }
        return problem == null;
    }

    /**
     * Returns whether the caller may send a request under this owner id. Under that of another client it breaks its lease, or continues it, as a server does with
     * a lease that another server granted (docs/decisions/0069).
     */
    private boolean may(long id, OwnerId owner, @Nullable LockValue value, String resource) {
        if (value != null) {
            LockValue.requireText(value.text());
        }
        return may(id, owner.client().equals(client) ? Permission.ACQUIRE : Permission.ADMIN, resource);
    }

    private CompletionStage<ReleaseAnswer> audited(ReleaseRequest request, CompletionStage<ReleaseAnswer> answer) {
        return request.owner().client().equals(client)
                ? answer
                : answer.whenComplete((given, failure) -> audit.tookBack(
                        caller,
                        request.resource(),
                        request.owner().toString(),
                        given == null ? "failed" : given.getClass().getSimpleName()));
    }

    private boolean may(long id, Permission right, String resource) {
        if (resource.length() > LONGEST_RESOURCE) {
            throw new IllegalArgumentException("a name has more than " + LONGEST_RESOURCE + " characters");
        }
        if (!caller.rights().contains(right)) {
            refuse(id, "the token '" + caller.client() + "' does not have the right '" + Json.word(right) + "'");
            return false;
        }
        if (!caller.covers(resource)) {
            refuse(
                    id,
                    "the token '" + caller.client() + "' is for names that begin with " + caller.prefixes() + ", and '"
                            + Printable.of(resource) + "' does not");
            return false;
        }
        return true;
    }

    /** Shortens the answer to as many names as fit into a frame. */
    private static ListAnswer fitting(ListAnswer answer) {
        if (!(answer instanceof ListAnswer.Names names)) {
            return answer;
        }
        List<String> some = new ArrayList<>();
        int chars = 0;
        for (String name : names.names()) {
            chars += name.length();
            if (chars > MOST_CHARS_LISTED) {
                return new ListAnswer.Names(some, false);
            }
            some.add(name);
        }
        return names;
    }

    // ---- pushes and notices

    @Override
    public void pushed(Push push) {
        writer.send(NodeMessage.Line.push(push).text());
    }

    /** Notifies the client that a server of a cluster leads now. For another server the client counts the quarantine itself. */
    @Override
    public void available(String serverId) {
        if (ofCluster) {
            writer.send(NodeMessage.Line.notice(new NodeMessage.Leads(serverId, served.groups()))
                    .text());
        }
    }

    @Override
    public void unavailable(String reason) {
        if (ofCluster) {
            writer.send(NodeMessage.Line.notice(new NodeMessage.Follows(reason)).text());
        }
    }

    @Override
    public void refused(String reason) {}

    @Override
    public void onClosed() {
        over = true;
        leave();
    }

    private void leave() {
        LockNode at = node;
        String name = client;
        if (at != null && name != null) {
            at.close();
            clients.remove(name, this);
        }
    }

    @Override
    public void end(int status, String reason) {
        writer.close(status, reason);
    }
}
