package dev.holdfast;

import java.util.concurrent.CancellationException;

/** From a refusal to the exception that says the same. */
final class Refusals {

    private Refusals() {}

    static RuntimeException exception(Refusal refusal) {
        return switch (refusal.reason()) {
            case HELD -> new LockTimeoutException(refusal);
            case NO_QUORUM -> new NoQuorumException(refusal);
            case SEALED -> new LockSealedException(refusal);
            case CLOSED -> new HoldfastClosedException(refusal.message());
            case CANCELLED -> new CancellationException(refusal.message());
        };
    }
}
