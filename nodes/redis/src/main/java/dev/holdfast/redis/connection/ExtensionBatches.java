package dev.holdfast.redis.connection;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.redis.script.AcquireCall;
import dev.holdfast.redis.script.ExtendCall;
import dev.holdfast.redis.script.Reply;
import java.util.ArrayList;
import java.util.List;

/**
 * Extensions that are asked for at the same time go out in one request: while one is under way, those that come wait for its answer, or until
 * there are enough of them. So one that is alone goes at once, and of many leases that one client holds many are one request. Thread-safe.
 *
 * <p>So one may go out later than it was asked for; {@link ExtensionOrder} keeps it in its place among the requests about its lock.
 */
final class ExtensionBatches {

    /** They keep the server from its other work for a seventh of a millisecond. */
    static final int MOST_AT_ONCE = 32;

    private final Link link;
    private List<ScriptCommand<AcquireAnswer>> waiting = new ArrayList<>();
    private int underWay;
    private boolean moving; // somebody sends those that wait, and looks again
    private volatile boolean refused; // several at once: by a member of a cluster, by a proxy, because of one of them

    ExtensionBatches(Link link) {
        this.link = link;
    }

    void send(ScriptCommand<AcquireAnswer> extension) {
        List<ScriptCommand<AcquireAnswer>> go;
        synchronized (this) {
            waiting.add(extension);
            if (underWay > 0 && waiting.size() < MOST_AT_ONCE && !refused) {
                return;
            }
            go = takeAll();
        }
        dispatch(go);
    }

    /** Those that wait are under way from now on; guarded by this. */
    private List<ScriptCommand<AcquireAnswer>> takeAll() {
        List<ScriptCommand<AcquireAnswer>> all = waiting;
        waiting = new ArrayList<>();
        underWay++;
        return all;
    }

    private void dispatch(List<ScriptCommand<AcquireAnswer>> extensions) {
        if (extensions.size() == 1 || refused) {
            extensions.forEach(link::dispatch);
            extensions.get(extensions.size() - 1).thenRun(this::answered);
            return;
        }
        ExtendCall all = new ExtendCall(
                extensions.stream().map(command -> (AcquireCall) command.call()).toList());
        link.sendNow(new ScriptCommand<>(link, all, fences -> fences))
                .thenAccept(fences -> settle(extensions, fences))
                .whenComplete((done, thrown) -> {
                    if (thrown != null) { // those that are not settled yet must not stay unanswered
                        extensions.forEach(extension -> extension.completeExceptionally(thrown));
                    }
                    answered();
                });
    }

    private void settle(List<ScriptCommand<AcquireAnswer>> extensions, ExtendCall.Fences fences) {
        if (!fences.areThere()) {
            refused = true;
        }
        for (int i = 0; i < extensions.size(); i++) {
            ScriptCommand<AcquireAnswer> extension = extensions.get(i);
            if (fences.of(i) > 0) {
                extension.answered(new Reply(fences.of(i)));
            } else {
                link.dispatch(extension);
            }
        }
    }

    /** Those that wait may be answered while they are sent, as where the connection has ended. */
    private void answered() {
        synchronized (this) {
            underWay--;
            if (moving) {
                return;
            }
            moving = true;
        }
        for (List<ScriptCommand<AcquireAnswer>> go = next(); !go.isEmpty(); go = next()) {
            dispatch(go);
        }
    }

    private synchronized List<ScriptCommand<AcquireAnswer>> next() {
        if (underWay > 0 || waiting.isEmpty()) {
            moving = false;
            return List.of();
        }
        return takeAll();
    }
}
