package dev.holdfast.internal.owner;

import dev.holdfast.node.OwnerId;
import dev.holdfast.time.UnsharedRandom;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A detector that distinguishes the owner ids of this process from those of a copy of it (docs/decisions/0038). Thread-safe.
 *
 * <p>A process that is restored from a checkpoint or a snapshot shares the client id and the ticket clock with every other copy. Two copies can therefore begin
 * attempts with the same ticket. No two copies share a connection: one of them must connect again before it can send requests. The rounds of attempts therefore
 * begin with a random number that the client draws when a node connects, from a source that copies do not share.
 */
final class CopyDetector {

    private static final int FIRST_ROUNDS = 999_998;

    /** The number of first rounds to remember. A vote for an attempt with an older first round is not recognised, and expires. */
    private static final int REMEMBERED = 1_000;

    private final RandomGenerator random;
    private final Set<Integer> drawn = new LinkedHashSet<>();
    private volatile int firstRound;

    CopyDetector(RandomGenerator random) {
        this.random = random;
        draw();
    }

    /** Handles a new connection: attempts that begin from now on share no owner id with those of a copy. */
    void connected() {
        draw();
    }

    private synchronized void draw() {
        int number = random instanceof UnsharedRandom ? 1 + random.nextInt(FIRST_ROUNDS) : 0;
        drawn.remove(number);
        drawn.add(number);
        if (drawn.size() > REMEMBERED) {
            drawn.remove(drawn.iterator().next());
        }
        firstRound = number * OwnerId.ROUNDS;
    }

    /** Returns the first round of an attempt that begins now. */
    int firstRound() {
        return firstRound;
    }

    /** Returns whether an attempt of this process may have had that id; if not, the id belongs to an attempt of a copy. */
    synchronized boolean mayBeOwn(OwnerId owner) {
        return drawn.contains(owner.round() / OwnerId.ROUNDS);
    }
}
