package dev.holdfast.fence;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;

/** Checks of the arguments of guards. */
final class Checks {

    private static final long LARGEST_TOKEN = (1L << 53) - 1;
    private static final int LONGEST_RESOURCE_BYTES = 1024;
    private static final Pattern SQL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");

    private Checks() {}

    static long token(long token) {
        if (token < 1 || token > LARGEST_TOKEN) {
            throw new IllegalArgumentException("token is " + token + ", but must be from 1 to " + LARGEST_TOKEN
                    + (token == 0 ? "; a lease in mode NL has no token" : ""));
        }
        return token;
    }

    static byte[] resource(String resource) {
        byte[] bytes = Objects.requireNonNull(resource, "resource").getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > LONGEST_RESOURCE_BYTES) {
            throw new IllegalArgumentException("the resource's name has " + bytes.length
                    + " bytes of UTF-8, but must have from 1 to " + LONGEST_RESOURCE_BYTES);
        }
        if (resource.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the resource's name holds the character U+0000, but may not");
        }
        return bytes;
    }

    /** Returns the name if it is safe to use unquoted in a statement, and rejects it otherwise. */
    static String sqlName(String what, String name) {
        if (!SQL_NAME.matcher(Objects.requireNonNull(name, what)).matches()) {
            throw new IllegalArgumentException(what + " is '" + name
                    + "', but must be a name of letters, digits and underscores, as in 'stock' or 'shop.stock'");
        }
        return name;
    }
}
