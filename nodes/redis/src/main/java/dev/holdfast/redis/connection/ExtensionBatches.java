package dev.holdfast.redis.connection;

import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.Unavailable;
import dev.holdfast.redis.script.AcquireCall;
import dev.holdfast.redis.script.ExtendCall;
import dev.holdfast.redis.script.Reply;
import java.util.ArrayList;
import java.util.List;

/**
 * A batcher that sends extensions requested at the same time in one request. While a request is under way, new extensions wait for its
 * answer, or until there are enough of them. So a single extension goes out at once, and many leases of one client share requests. Thread-safe.
 *
 * <p>An extension may go out later than it was requested; {@link ExtensionOrder} keeps it in its position among the requests about its
 * lock.
 */
final class ExtensionBatches {

    /** The largest number of extensions in one request; they occupy the server for a seventh of a millisecond. */
    static final int MOST_AT_ONCE = 32;

    private final Link link;
    private List<ScriptCommand<AcquireAnswer>> waiting = new ArrayList<>();
    private int underWay;
    private boolean moving; // a thread is sending the waiting extensions, and checks for more
    private volatile boolean refused; // a cluster member or a proxy refused several at once, because of one of them

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

    /** Takes the waiting extensions, which are under way from now on; the caller holds this object's monitor. */
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
                    if (thrown != null) { // unsettled extensions must not stay unanswered
                        extensions.forEach(extension -> extension.completeExceptionally(thrown));
                    }
                    answered();
                });
    }

    private void settle(List<ScriptCommand<AcquireAnswer>> extensions, ExtendCall.Fences fences) {
        if (!fences.areThere()) {
            extensions.get(0).thenAccept(this::learn);
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

    /** Learns from the answer to an extension that was re-sent alone: while a server loads its data, it refuses that one too. */
    private void learn(AcquireAnswer alone) {
        if (!(alone instanceof Unavailable)) {
            refused = true;
        }
    }

    /** Sends the waiting extensions. Their answers may arrive during the call, for example if the connection has ended. */
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
