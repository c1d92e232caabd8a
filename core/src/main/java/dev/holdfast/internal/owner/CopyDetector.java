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
 * begin with a number that is drawn when a node connects, from randomness that copies do not share.
 */
final class CopyDetector {

    private static final int FIRST_ROUNDS = 999_998;

    /** Votes for attempts with an older first round are not recognised; they expire by themselves. */
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

    /** Returns the number that the rounds of an attempt that begins now start with. */
    int firstRound() {
        return firstRound;
    }

    /** Returns whether an attempt of this process may have had that id; otherwise an attempt of a copy has it. */
    synchronized boolean mayBeOwn(OwnerId owner) {
        return drawn.contains(owner.round() / OwnerId.ROUNDS);
    }
}
