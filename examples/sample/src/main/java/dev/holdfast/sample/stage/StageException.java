package dev.holdfast.sample.stage;

import org.jspecify.annotations.Nullable;

/** The failure of something to start; the message is for people. */
public final class StageException extends RuntimeException {

    public StageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
