package dev.holdfast.testkit.history;

import dev.holdfast.lock.LockMode;

/**
 * One attempt to acquire a lock, and the lease that it may become.
 *
 * @param client the client, unique in a history; a restarted process is another client
 * @param attempt the attempt's number, unique for its client
 * @param lock the name of the lock
 * @param mode the mode asked for
 */
public record AttemptId(String client, long attempt, String lock, LockMode mode) {

    @Override
    public String toString() {
        return client + "#" + attempt + " " + lock + " " + mode;
    }
}
