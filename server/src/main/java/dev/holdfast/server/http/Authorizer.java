package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.CallerDirectory;
import dev.holdfast.server.caller.Permission;
import dev.holdfast.server.caller.RateLimit;
import dev.holdfast.server.log.AccessLog;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import io.javalin.http.Context;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says who makes a request, and refuses callers that may not make it. Thread-safe. */
public final class Authorizer {

    private static final Set<String> LOOPBACK_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String BEARER = "Bearer ";
    private static final String ANY = "*/*";

    private final CallerDirectory callers;
    private final boolean insecure;
    private final RateLimit rate;

    /**
     * An authorizer.
     *
     * @param callers whom it lets in
     * @param insecure whether it lets everybody in under any name of this host
     */
    public Authorizer(CallerDirectory callers, boolean insecure, RateLimit rate) {
        this.callers = callers;
        this.insecure = insecure;
        this.rate = rate;
    }

    /** As {@link #admit} for one that opens a WebSocket; what it may do there is asked later. */
    Caller admitSocket(Context context, Route route) {
        requireOwnOrigin(context);
        return route == Route.NODE
                ? admit(context, EnumSet.of(Permission.ACQUIRE, Permission.READ))
                : admit(context, route.right);
    }

    /** Pages of other origins may open WebSockets, and are stopped by nothing but this. */
    private static void requireOwnOrigin(Context context) {
        String origin = context.header("Origin");
        if (origin != null && !origin.replaceFirst("^https?://", "").equalsIgnoreCase(context.header("Host"))) {
            throw new Problem(
                    Problem.Kind.FORBIDDEN, "A page of '" + Printable.of(origin) + "' may not open a WebSocket here.");
        }
    }

    /** Says who the caller is, or refuses it; null if everybody may. */
    Caller admit(Context context, @Nullable Permission right) {
        return admit(context, right == null ? EnumSet.noneOf(Permission.class) : EnumSet.of(right));
    }

    private Caller admit(Context context, EnumSet<Permission> oneOf) {
        if (callers.isOpen() && !insecure) {
            requireHost(context);
        }
        if (callers.isOpen() || oneOf.isEmpty()) {
            String address = context.ip();
            rate.take(address);
            return new Caller(address, List.of(""), EnumSet.allOf(Permission.class));
        }
        Caller caller = bearer(context);
        context.attribute(AccessLog.CLIENT, caller.client());
        rate.take(caller.client());
        if (oneOf.stream().noneMatch(caller.rights()::contains)) {
            String wanted =
                    oneOf.stream().map(right -> "'" + Json.word(right) + "'").collect(Collectors.joining(" or "));
            throw new Problem(
                    Problem.Kind.FORBIDDEN,
                    "The token '" + caller.client() + "' does not have the right " + wanted + ".");
        }
        return caller;
    }

    private Caller bearer(Context context) {
        String given = context.header("Authorization");
        if (given == null || !given.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            rate.take(context.ip());
            throw unauthorized("The request has no token; send the header 'Authorization: Bearer ...'.");
        }
        Caller found = callers.find(given.substring(BEARER.length()).strip());
        if (found == null) {
            rate.take(context.ip());
            throw unauthorized("The token is not known here.");
        }
        return found;
    }

    private static Problem unauthorized(String detail) {
        return new Problem(Problem.Kind.UNAUTHORIZED, detail).header("WWW-Authenticate", "Bearer realm=\"holdfast\"");
    }

    /** A page in a browser on this machine must not reach the server under a name of its own (DNS rebinding). */
    private static void requireHost(Context context) {
        String host = context.header("Host");
        String name = host == null ? "" : withoutPort(host).toLowerCase(Locale.ROOT);
        if (!LOOPBACK_HOSTS.contains(name)) {
            throw new Problem(
                    Problem.Kind.MISDIRECTED,
                    "The request is for the host '" + Printable.of(name)
                            + "', but without tokens this server answers as " + "localhost only.");
        }
    }

    private static String withoutPort(String host) {
        int end = host.length();
        while (end > 0 && host.charAt(end - 1) >= '0' && host.charAt(end - 1) <= '9') {
            end--;
        }
        return end > 0 && host.charAt(end - 1) == ':' ? host.substring(0, end - 1) : host;
    }

    /** Refuses who would not take the form of the answer. */
    static void requireAccepts(Context context, String type) {
        String accept = context.header("Accept");
        if (accept == null || accept.isBlank()) {
            return;
        }
        String family = type.substring(0, type.indexOf('/')) + "/*";
        for (String range : accept.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = range.split(";");
            String wanted = parts[0].strip();
            boolean never = range.replace(" ", "").matches(".*;q=0(\\.0*)?(;.*)?");
            if (!never && (wanted.equals(ANY) || wanted.equals(type) || wanted.equals(family))) {
                return;
            }
        }
        throw new Problem(Problem.Kind.NOT_ACCEPTABLE, "The answer is " + type + ".");
    }
}
