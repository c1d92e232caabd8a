package dev.holdfast.server.caller;

import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import java.util.List;
import java.util.Set;

/**
 * Who makes a request.
 *
 * @param client what limits count by, and what owns leases: a token's name, or an address
 * @param prefixes what the names of its locks begin with; the empty prefix is that of all
 * @param rights what it may do
 */
public record Caller(String client, List<String> prefixes, Set<Permission> rights) {

    public Caller {
        prefixes = List.copyOf(prefixes);
        rights = Set.copyOf(rights);
    }

    /** Whether all names that begin with this text are its own to use, one name being one of them. */
    public boolean covers(String nameOrPrefix) {
        return prefixes.stream().anyMatch(nameOrPrefix::startsWith);
    }

    /** Refuses a lock or a prefix that is not this caller's. */
    public void requireCovered(String nameOrPrefix) {
        if (!covers(nameOrPrefix)) {
            throw new Problem(
                    Problem.Kind.FORBIDDEN,
                    "The token '" + client + "' is for names that begin with " + prefixes + ", and '"
                            + Printable.of(nameOrPrefix) + "' does not.");
        }
    }
}
