package dev.holdfast.server;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.CallerDirectory;
import dev.holdfast.server.reload.Reloadable;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The valid tokens. Thread-safe. */
final class Tokens implements CallerDirectory, Reloadable {

    private final Supplier<List<AccessToken>> source;
    private volatile List<AccessToken> current;
    private volatile Runnable onRead = () -> {};
    private String lastTrouble = "";

    /** Reads the source at once, and later at each {@link #reload}. */
    Tokens(Supplier<List<AccessToken>> source) {
        this.source = source;
        this.current = distinct(source.get());
    }

    /** Returns the tokens after checking that no two of them have the same name or secret. */
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
        for (AccessToken token : current) { // visits all tokens, so that the duration reveals nothing
            found = token.isOf(hash) ? token : found;
        }
        return found == null ? null : found.caller();
    }

    /** Returns whether the caller's token still exists with the same secret, rights and prefixes. */
    @SuppressWarnings("ReferenceEquality") // callers of two secrets are equal otherwise
    boolean stillHave(Caller caller) {
        return current.isEmpty() || current.stream().anyMatch(token -> token.caller() == caller);
    }

    /**
     * Sets the listener that runs each time the tokens have been read, even if they are the same. A request that was admitted just before the last change
     * may have begun only after it.
     */
    void onRead(Runnable listener) {
        onRead = listener;
    }

    @Override
    public String what() {
        return "tokens";
    }

    /** Reads the source again. Rejects a change between tokens and no tokens, since that would admit every client or none; such a change takes a restart. */
    @Override
    public boolean reload() {
        try {
            List<AccessToken> fresh = distinct(source.get());
            if (fresh.isEmpty() != current.isEmpty()) {
                throw new IllegalArgumentException(
                        fresh.isEmpty()
                                ? "the config has no tokens any more; to admit clients without a token, restart the server"
                                : "the config has tokens now, but the server was started without any; restart it");
            }
            boolean wasWrong = !lastTrouble.isEmpty();
            lastTrouble = "";
            boolean changed = !isSame(fresh, current);
            if (changed) {
                current = fresh.stream().map(this::known).toList();
            }
            onRead.run();
            return changed || wasWrong; // then the earlier content is back
        } catch (RuntimeException e) {
            if (String.valueOf(e.getMessage()).equals(lastTrouble)) {
                return false;
            }
            lastTrouble = String.valueOf(e.getMessage());
            throw e;
        }
    }

    /** Returns the known token if this one is the same. */
    private AccessToken known(AccessToken fresh) {
        return current.stream().filter(fresh::isSameAs).findFirst().orElse(fresh);
    }

    private static boolean isSame(List<AccessToken> one, List<AccessToken> other) {
        return one.size() == other.size()
                && one.stream().allMatch(token -> other.stream().anyMatch(token::isSameAs));
    }
}
