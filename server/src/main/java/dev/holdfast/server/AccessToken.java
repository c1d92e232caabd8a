package dev.holdfast.server;

import dev.holdfast.server.caller.Caller;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A bearer token. A client with its secret has the token's rights for all locks whose names begin with one of its prefixes. Immutable. The token does not keep
 * the secret itself, and {@link #toString} does not show its hash.
 */
public final class AccessToken {

    /** The minimum length of a secret; shorter secrets could be guessed. */
    static final int SHORTEST_SECRET = 20;

    private static final int LONGEST_SECRET = 1_024;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9@._-]{1,100}");
    private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private final String name;
    private final byte[] hash;
    private final List<String> prefixes;
    private final Set<Right> rights;
    private final Caller caller;

    /**
     * Creates a token.
     *
     * @param name the token's name in errors, logs and limits: 1 to 100 letters, digits and {@code @._-}
     * @param secret the secret that clients send: 20 to 1024 letters, digits and {@code ._~+/-=}, generated at random
     * @param prefixes the prefixes of its locks' names, at least one; the empty prefix covers all names
     * @param rights the rights that the token grants, at least one
     */
    public AccessToken(String name, String secret, List<String> prefixes, Set<Right> rights) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a token's name must have 1 to 100 letters, digits and @._-");
        }
        if (secret.length() < SHORTEST_SECRET
                || secret.length() > LONGEST_SECRET
                || !SECRET.matcher(secret).matches()) {
            throw new IllegalArgumentException(
                    "the secret of the token '" + name + "' must have " + SHORTEST_SECRET + " to " + LONGEST_SECRET
                            + " letters, digits and ._~+/-=, such as those of 'openssl rand -hex 32'");
        }
        if (prefixes.isEmpty() || rights.isEmpty()) {
            throw new IllegalArgumentException(
                    "the token '" + name + "' has no prefixes or no rights, so it permits nothing");
        }
        this.name = name;
        this.hash = hash(secret);
        this.prefixes = List.copyOf(prefixes);
        this.rights = Set.copyOf(rights);
        this.caller = new Caller(
                name, prefixes, rights.stream().map(right -> right.permission).collect(Collectors.toSet()));
    }

    public String name() {
        return name;
    }

    /** Returns the author of requests with this token: always the same object, so that callers of two tokens differ even if only the secrets do. */
    Caller caller() {
        return caller;
    }

    /** Returns whether the secret with this hash belongs to the token. The comparison takes constant time, so that it does not reveal how much matches. */
    boolean isOf(byte[] hashOfSecret) {
        return MessageDigest.isEqual(hash, hashOfSecret);
    }

    static byte[] hash(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    boolean hasSecretOf(AccessToken other) {
        return isOf(other.hash);
    }

    /** Returns whether both tokens have the same name, secret, prefixes and rights. */
    boolean isSameAs(AccessToken other) {
        return name.equals(other.name)
                && hasSecretOf(other)
                && prefixes.equals(other.prefixes)
                && rights.equals(other.rights);
    }

    @Override
    public String toString() {
        return "AccessToken[" + name + ", " + prefixes + ", " + rights + "]";
    }
}
