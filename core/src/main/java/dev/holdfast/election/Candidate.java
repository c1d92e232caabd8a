package dev.holdfast.election;

import dev.holdfast.lock.Loss;
import java.lang.System.Logger.Level;

/**
 * What a program does that wants to lead, and what it is told. {@link #onElected} is the leader's work, on a thread of its own; everything
 * else runs on worker threads of Holdfast, at the same time as the work, and may close the {@link Candidacy}.
 */
@FunctionalInterface
public interface Candidate {

    /**
     * Leads. Runs for as long as it has something to do as a leader, months if need be, on a daemon thread that nothing else uses; never
     * twice at the same time for one candidacy. When it returns, the leader steps down, and the candidate goes to the end of the line.
     *
     * <p>The thread is interrupted when the leadership is over for another reason: it was revoked, somebody stepped down in its place, or
     * the candidacy was closed. The work has to end then, and soon: another leads at the latest when the lease's time is up. What must never be
     * written by a former leader is guarded by the {@link Leadership#term} at the resource.
     *
     * @throws Exception what it throws ends the leadership, and goes to {@link #onError} as it is; but not the {@link InterruptedException}
     *     or {@link dev.holdfast.lock.LeaseLostException} of a leadership that was over before
     */
    void onElected(Leadership leadership) throws Exception;

    /**
     * The leadership was lost. Told at once, before the lease's deadline and so before another can be elected, by this machine's clocks:
     * a twentieth of the ttl (5 to 500 ms) before, where the nodes can't be reached; without notice if the lease was taken by force; late if this
     * process stood still. Not told of a leadership that ended by the leader's own will.
     *
     * @param loss why
     */
    default void onRevoked(Leadership leadership, Loss loss) {}

    /** Another candidate waits, told once for each leadership. The leader may stay, step down, or hand over. */
    default void onContended(Leadership leadership) {}

    /**
     * The work failed with this, as it was thrown; it leads no more. Logged unless overridden. The candidate stands again after a pause: 100 ms
     * at first, twice as long after every failure that follows, 10 s at most, each shortened by up to a half by chance.
     */
    default void onError(Throwable failure) {
        System.getLogger(Candidate.class.getName()).log(Level.ERROR, "The work of a leader failed", failure);
    }
}
