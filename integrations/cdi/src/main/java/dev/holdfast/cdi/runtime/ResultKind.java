package dev.holdfast.cdi.runtime;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The kinds of a method's result: when it is complete, and what a skipped call returns. */
public enum ResultKind {
    /** A result that is complete when the method returns. */
    PLAIN,
    /** A result like {@link #PLAIN}, but an {@code Optional}, which is empty if the call is skipped. */
    OPTIONAL,
    /** A number or a boolean: a result that a skipped call cannot omit. */
    PRIMITIVE,
    /** A result that is complete when its stage completes. */
    STAGE,
    /** A result that is complete when its subscription has ended. */
    UNI,
    /** A result whose completion cannot be observed here; it is rejected. */
    UNKNOWN;

    /** Returns whether the result is complete when the method returns. */
    public boolean isThereOnReturn() {
        return this == PLAIN || this == OPTIONAL || this == PRIMITIVE;
    }

    /** Returns the result of a skipped call; that of a {@code Uni} is its item. */
    @Nullable
    Object skipped() {
        return switch (this) {
            case OPTIONAL -> Optional.empty();
            case STAGE -> CompletableFuture.completedFuture(null);
            case PLAIN, UNI -> null;
            case PRIMITIVE, UNKNOWN -> throw new IllegalStateException("no result for a skipped " + this);
        };
    }
}
