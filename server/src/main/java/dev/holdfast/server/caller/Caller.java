package dev.holdfast.server.caller;

import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import java.util.List;
import java.util.Set;

/**
 * The author of a request.
 *
 * @param client the client in limits and in the ownership of leases: a token's name, or an address
 * @param prefixes the prefixes of the names of its locks; the empty prefix covers all names
 * @param rights the caller's permissions
 */
public record Caller(String client, List<String> prefixes, Set<Permission> rights) {

    public Caller {
        prefixes = List.copyOf(prefixes);
        rights = Set.copyOf(rights);
    }

    /** Returns whether the caller may use all names that begin with this text; a complete name is one of them. */
    public boolean covers(String nameOrPrefix) {
        return prefixes.stream().anyMatch(nameOrPrefix::startsWith);
    }

    /** Rejects a lock or a prefix that the caller may not use. */
    public void requireCovered(String nameOrPrefix) {
        if (!covers(nameOrPrefix)) {
            throw new Problem(
                    Problem.Kind.FORBIDDEN,
                    "The token '" + client + "' is for names that begin with " + prefixes + ", and '"
                            + Printable.of(nameOrPrefix) + "' does not.");
        }
    }
}
