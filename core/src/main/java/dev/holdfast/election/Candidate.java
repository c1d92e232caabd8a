package dev.holdfast.election;

import dev.holdfast.lock.Loss;
import java.lang.System.Logger.Level;

/**
 * A program that wants to lead. {@link #onElected} is the leader's work, on a thread of its own. The other methods are notifications: they run on worker
 * threads of Holdfast, at the same time as the work, and may close the {@link Candidacy}.
 */
@FunctionalInterface
public interface Candidate {

    /**
     * Does the work of the leader, for as long as there is work to do, even for months. The work runs on a daemon thread of its own, and never twice at the
     * same time for one candidacy. When it returns, the leader steps down, and the candidate goes to the end of the queue.
     *
     * <p>The thread is interrupted when the leadership ends for another reason: it is revoked, another thread calls {@link Leadership#stepDown}, or the
     * candidacy is closed. The work must then end soon: another candidate leads at the latest when the lease expires. The resource must check the
     * {@link Leadership#term} to reject what a former leader writes.
     *
     * @param leadership the term that has begun
     * @throws Exception ends the leadership; {@link #onError} receives it unchanged. An {@link InterruptedException} or {@link
     *     dev.holdfast.lock.LeaseLostException} is ignored if the leadership has already ended
     */
    void onElected(Leadership leadership) throws Exception;

    /**
     * Notifies the candidate that its leadership is lost. This method is not called for a leadership that the leader ended itself. The call comes before
     * another candidate can be elected, by this machine's clocks: a twentieth of the ttl (5 to 500 ms) before the lease's deadline if the nodes are
     * unreachable. If an operator broke the lease, the call comes after the fact; if this process was paused, the call may come late.
     *
     * @param leadership the term that is over
     * @param loss why it is over
     */
    default void onRevoked(Leadership leadership, Loss loss) {}

    /** Notifies the candidate, once for each leadership, that another candidate waits. The leader may stay, step down, or hand over. */
    default void onContended(Leadership leadership) {}

    /**
     * Notifies the candidate that the work has thrown an exception, which ended the leadership. The default logs it. The candidate queues again after a pause:
     * 100 ms at first, twice as long after each further failure, 10 s at most, each shortened at random by up to a half.
     */
    default void onError(Throwable failure) {
        System.getLogger(Candidate.class.getName()).log(Level.ERROR, "The work of a leader failed", failure);
    }
}
