package dev.holdfast;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Unavailable;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A voter for one resource with as few steps as possible. Requests wait until a thread of the experiment carries them out. It has one vote, one fence, the
 * tombstones, and a position in the queue that becomes a vote when a test says so. Thread-safe.
 */
public final class HandNode implements LockNode {

    private final String name;
    private final NodeListener listener;
    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>(); // a queue that Lincheck instruments
    private final Set<OwnerId> buried = new HashSet<>();
    private OwnerId holder;
    private OwnerId waiter;
    private boolean busy;
    private boolean prompt;
    private boolean closed;
    private long fence;

    /** Creates a node that is free, with a fence that is the same at every node. */
    public HandNode(String name, NodeListener listener) {
        this.name = name;
        this.listener = listener;
    }

    /** Makes the thread that sends a request carry it out at once from now on. */
    public synchronized void beginToAnswerAtOnce() {
        prompt = true;
    }

    /** Another client holds the lock, so a new request queues. */
    public synchronized void occupy() {
        busy = true;
    }

    /** Another client releases the lock: the waiter gets the vote, and the calling thread notifies it. */
    public void vacate() {
        OwnerId granted;
        long bears;
        synchronized (this) {
            busy = false;
            granted = waiter;
            waiter = null;
            if (granted != null) {
                holder = granted;
                fence++;
            }
            bears = fence;
        }
        if (granted != null) {
            listener.pushed(new Push.Granted("lock", granted, bears, null));
        }
    }

    /** Carries out the waiting requests, one after the other, and answers them. */
    public void serve() {
        for (Runnable request = inbox.poll(); request != null; request = inbox.poll()) {
            request.run();
        }
    }

    /** Returns whether any client of this experiment has a vote or a position in the queue. */
    public synchronized boolean isUsed() {
        return holder != null || waiter != null;
    }

    /** Returns whether any client of this experiment has a vote. */
    public synchronized boolean isHeld() {
        return holder != null;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireRequest request) {
        CompletableFuture<AcquireAnswer> answer = new CompletableFuture<>();
        return send(answer, () -> answer.complete(carryOut(request)), new Unavailable("closed", false));
    }

    private synchronized AcquireAnswer carryOut(AcquireRequest request) {
        OwnerId owner = request.owner();
        if (buried.contains(owner)) {
            return new AcquireAnswer.Denied(0, AcquireAnswer.Denied.Reason.BURIED, null, 0);
        }
        boolean healable = request.floor() == 0 || request.heal();
        if (owner.equals(holder) || (holder == null && !busy && healable)) {
            fence = Math.max(owner.equals(holder) ? fence : fence + 1, request.floor());
            holder = owner;
            waiter = null;
            return new AcquireAnswer.Granted(fence, null, 0);
        }
        if (!request.queue()) {
            return new AcquireAnswer.Denied(1000, AcquireAnswer.Denied.Reason.HELD, null, 0);
        }
        waiter = owner;
        return new AcquireAnswer.Queued(1000, fence, 1, null, 0, 0);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseRequest request) {
        CompletableFuture<ReleaseAnswer> answer = new CompletableFuture<>();
        return send(answer, () -> answer.complete(carryOut(request)), new Unavailable("closed", false));
    }

    private synchronized ReleaseAnswer carryOut(ReleaseRequest request) {
        boolean there = request.owner().equals(holder) || request.owner().equals(waiter);
        holder = request.owner().equals(holder) ? null : holder;
        waiter = request.owner().equals(waiter) ? null : waiter;
        if (request.buryMillis() > 0) {
            buried.add(request.owner());
        }
        return there ? new ReleaseAnswer.Released() : new ReleaseAnswer.Absent();
    }

    @SuppressWarnings("unchecked") // Unavailable belongs to every type of answer
    private <A> CompletionStage<A> send(CompletableFuture<A> answer, Runnable carryOut, Unavailable down) {
        boolean now;
        synchronized (this) {
            if (closed) {
                return CompletableFuture.completedStage((A) down);
            }
            now = prompt;
            if (!now) {
                inbox.add(carryOut);
            }
        }
        if (now) {
            carryOut.run();
        }
        return answer;
    }

    @Override
    public CompletionStage<InspectAnswer> inspect(String resource) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<ListAnswer> list(String prefix, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<NodeStatus> status() {
        throw new UnsupportedOperationException();
    }

    /** The node still carries out every request that was sent. */
    @Override
    public synchronized void close() {
        closed = true;
    }
}
