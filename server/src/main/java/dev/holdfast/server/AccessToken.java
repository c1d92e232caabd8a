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
 * A bearer token: who has its secret may do what it allows, with the locks whose names begin with one of its prefixes. Immutable. The secret itself is
 * not kept, and {@link #toString} does not show its hash.
 */
public final class AccessToken {

    /** Shorter secrets could be guessed. */
    static final int SHORTEST_SECRET = 20;

    private static final int LONGEST_SECRET = 1_024;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9@._-]{1,100}");
    private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private final String name;
    private final byte[] hash;
    private final List<String> prefixes;
    private final Set<Right> rights;

    /**
     * A token.
     *
     * @param name what it is called in refusals and logs, and what limits count by: 1 to 100 letters, digits and {@code @._-}
     * @param secret what clients send: 20 to 1024 letters, digits and {@code ._~+/-=}, drawn at random, not thought of
     * @param prefixes what the names of its locks begin with, at least one; the empty one stands for all names
     * @param rights what it allows, at least one
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
            throw new IllegalArgumentException("the token '" + name + "' has no prefixes or no rights, and so no use");
        }
        this.name = name;
        this.hash = hash(secret);
        this.prefixes = List.copyOf(prefixes);
        this.rights = Set.copyOf(rights);
    }

    public String name() {
        return name;
    }

    Caller caller() {
        return new Caller(
                name, prefixes, rights.stream().map(right -> right.permission).collect(Collectors.toSet()));
    }

    /** Whether this is its secret, in a time that does not tell how much of it is right. */
    boolean isOf(byte[] hashOfSecret) {
        return MessageDigest.isEqual(hash, hashOfSecret);
    }

    static byte[] hash(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    boolean hasSecretOf(AccessToken other) {
        return isOf(other.hash);
    }

    /** Whether it lets the same in, to the same. */
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
