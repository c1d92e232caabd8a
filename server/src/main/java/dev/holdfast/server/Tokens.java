package dev.holdfast.server;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.CallerDirectory;
import dev.holdfast.server.reload.Reloadable;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tokens that are valid now. Thread-safe. */
final class Tokens implements CallerDirectory, Reloadable {

    private final Supplier<List<AccessToken>> source;
    private volatile List<AccessToken> current;
    private volatile Runnable onChange = () -> {};
    private String lastTrouble = "";

    /** Asks the source at once, and then whenever they may have changed. */
    Tokens(Supplier<List<AccessToken>> source) {
        this.source = source;
        this.current = distinct(source.get());
    }

    /** None of which has the name or the secret of another. */
    static List<AccessToken> distinct(List<AccessToken> tokens) {
        for (AccessToken one : tokens) {
            for (AccessToken other : tokens) {
                if (one != other && (one.name().equals(other.name()) || one.hasSecretOf(other))) {
                    throw new IllegalArgumentException("the tokens '" + one.name() + "' and '" + other.name()
                            + "' have the same name or the same secret");
                }
            }
        }
        return List.copyOf(tokens);
    }

    List<AccessToken> current() {
        return current;
    }

    boolean isEmpty() {
        return current.isEmpty();
    }

    @Override
    public boolean isOpen() {
        return isEmpty();
    }

    @Override
    public @Nullable Caller find(String secret) {
        byte[] hash = AccessToken.hash(secret);
        AccessToken found = null;
        for (AccessToken token : current) { // all of them, so that the time tells nothing
            found = token.isOf(hash) ? token : found;
        }
        return found == null ? null : found.caller();
    }

    /** Whether who was let in as this would be let in as the same now. */
    boolean stillHave(Caller caller) {
        return current.isEmpty()
                || current.stream().anyMatch(token -> token.caller().equals(caller));
    }

    /** Who is to be told when there are others than before. */
    void onChange(Runnable listener) {
        onChange = listener;
    }

    @Override
    public String what() {
        return "tokens";
    }

    /** With the last token everybody would be let in, or nobody: that takes a restart. */
    @Override
    public boolean reload() {
        try {
            List<AccessToken> fresh = distinct(source.get());
            if (fresh.isEmpty() != current.isEmpty()) {
                throw new IllegalArgumentException(
                        fresh.isEmpty()
                                ? "there are no tokens any more; to let everybody in, start the server without any"
                                : "there are tokens now, but the server was started without any; start it again");
            }
            lastTrouble = "";
            if (isSame(fresh, current)) {
                return false;
            }
            current = fresh;
            onChange.run();
            return true;
        } catch (RuntimeException e) {
            if (String.valueOf(e.getMessage()).equals(lastTrouble)) {
                return false;
            }
            lastTrouble = String.valueOf(e.getMessage());
            throw e;
        }
    }

    private static boolean isSame(List<AccessToken> one, List<AccessToken> other) {
        return one.size() == other.size()
                && one.stream().allMatch(token -> other.stream().anyMatch(token::isSameAs));
    }
}
