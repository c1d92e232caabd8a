package dev.holdfast.sample.stage;

import org.jspecify.annotations.Nullable;

/** Thrown if a part of the sample does not start; the message is for people. */
public final class StageException extends RuntimeException {

    public StageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
