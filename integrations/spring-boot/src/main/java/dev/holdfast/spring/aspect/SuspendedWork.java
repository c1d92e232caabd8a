package dev.holdfast.spring.aspect;

import dev.holdfast.internal.thread.CurrentLease;
import dev.holdfast.lock.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.ThreadContextElement;
import org.jspecify.annotations.Nullable;

/**
 * The work of a function that suspends, as a part of the context of its coroutine. The lease is the current one of every thread that runs this coroutine or
 * one that it starts. The first thread also shows which coroutine it is, so that its end can be awaited.
 */
@SuppressWarnings(
        "NullAway") // the state of a thread is null if it has no current lease, but the interface does not declare that
final class SuspendedWork extends AbstractCoroutineContextElement implements ThreadContextElement<@Nullable Lease> {

    private final Lease lease;
    private volatile @Nullable Job job;

    /** The key of one instance, so that calls can be nested. */
    private static final class Key implements CoroutineContext.Key<SuspendedWork> {}

    SuspendedWork(Lease lease) {
        super(new Key());
        this.lease = lease;
    }

    @Override
    public @Nullable Lease updateThreadContext(CoroutineContext context) {
        if (job == null) {
            job = context.get(Job.Key);
        }
        return CurrentLease.enter(lease);
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, @Nullable Lease before) {
        CurrentLease.leave(lease, before);
    }

    /** Returns a stage that completes when the coroutine has ended. A coroutine that was cancelled before it began never runs, so it has ended too. */
    CompletionStage<?> ended() {
        Job coroutine = job;
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        if (coroutine == null) {
            ended.complete(true);
        } else {
            coroutine.invokeOnCompletion(failure -> {
                ended.complete(true);
                return Unit.INSTANCE;
            });
        }
        return ended;
    }
}
