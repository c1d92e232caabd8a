package dev.holdfast.server.http;

import dev.holdfast.server.caller.Caller;
import dev.holdfast.server.caller.CallerDirectory;
import dev.holdfast.server.caller.Permission;
import dev.holdfast.server.caller.RateLimit;
import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Printable;
import dev.holdfast.server.message.Problem;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A check that identifies the caller of each request, and rejects callers without the permission for it. Thread-safe. */
public final class Authorizer {

    private static final Set<String> LOOPBACK_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String BEARER = "Bearer ";
    private static final String ANY = "*/*";

    /** A media range that the client does not accept at all. */
    private static final Pattern NEVER = Pattern.compile(".*;q=0(\\.0*)?(;.*)?");

    private final CallerDirectory callers;
    private final boolean insecure;
    private final RateLimit rate;

    /**
     * Creates an authorizer.
     *
     * @param callers the callers that the authorizer admits
     * @param insecure whether a request may address this host by any name
     */
    public Authorizer(CallerDirectory callers, boolean insecure, RateLimit rate) {
        this.callers = callers;
        this.insecure = insecure;
        this.rate = rate;
    }

    /** Admits a request that opens a WebSocket, as {@link #admit} does. Later checks decide what the caller may do there. */
    Caller admitSocket(Exchange exchange, Route route) {
        requireOwnOrigin(exchange);
        return route == Route.NODE
                ? admit(exchange, EnumSet.of(Permission.ACQUIRE, Permission.READ))
                : admit(exchange, route.right);
    }

    /** Rejects pages of other origins. Browsers let such pages open WebSockets, so no other check stops them. */
    private static void requireOwnOrigin(Exchange exchange) {
        String origin = exchange.header("Origin");
        if (origin != null && !origin.replaceFirst("^https?://", "").equalsIgnoreCase(exchange.header("Host"))) {
            throw new Problem(
                    Problem.Kind.FOREIGN_ORIGIN,
                    "A page of '" + Printable.of(origin) + "' may not open a WebSocket here.");
        }
    }

    /**
     * Admits a check of the server's health. Checks have no limit: otherwise a client that shares the address of a load balancer or a supervisor could make its
     * checks fail, and so stop the server for all clients.
     */
    Caller admitCheck(Exchange exchange) {
        requireOwnHost(exchange);
        return anonymous(exchange);
    }

    /** Returns the caller, or rejects it; null if the route is open to every client. */
    Caller admit(Exchange exchange, @Nullable Permission right) {
        return admit(exchange, right == null ? EnumSet.noneOf(Permission.class) : EnumSet.of(right));
    }

    private Caller admit(Exchange exchange, EnumSet<Permission> oneOf) {
        requireOwnHost(exchange);
        if (callers.isOpen() || oneOf.isEmpty()) {
            rate.take(exchange.address());
            return anonymous(exchange);
        }
        Caller caller = bearer(exchange);
        exchange.recordClient(caller.client());
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

    private static Caller anonymous(Exchange exchange) {
        return new Caller(exchange.address(), List.of(""), EnumSet.allOf(Permission.class));
    }

    private Caller bearer(Exchange exchange) {
        String given = exchange.header("Authorization");
        if (given == null || !given.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            rate.take(exchange.address());
            throw unauthorized("The request has no token; send the header 'Authorization: Bearer ...'.");
        }
        Caller found = callers.find(given.substring(BEARER.length()).strip());
        if (found == null) {
            rate.take(exchange.address());
            throw unauthorized("The token is not known here.");
        }
        return found;
    }

    private static Problem unauthorized(String detail) {
        return new Problem(Problem.Kind.UNAUTHORIZED, detail).header("WWW-Authenticate", "Bearer realm=\"holdfast\"");
    }

    /**
     * Rejects unknown host names. A web page in a browser on this machine must not reach the server under the page's own host name (DNS rebinding).
     */
    private void requireOwnHost(Exchange exchange) {
        if (!callers.isOpen() || insecure) {
            return;
        }
        String host = exchange.header("Host");
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

    /** Rejects a client that does not accept the media type of the answer. */
    static void requireAccepts(Exchange exchange, String type) {
        String accept = String.join(",", exchange.request.getHeaders().getValuesList("Accept"));
        if (accept.isBlank()) {
            return;
        }
        String family = type.substring(0, type.indexOf('/')) + "/*";
        for (String range : accept.toLowerCase(Locale.ROOT).split(",")) {
            String wanted = range.split(";", 2)[0].strip();
            boolean fits = wanted.equals(ANY) || wanted.equals(type) || wanted.equals(family);
            if (fits && !NEVER.matcher(range.replace(" ", "")).matches()) {
                return;
            }
        }
        throw new Problem(Problem.Kind.NOT_ACCEPTABLE, "The answer is " + type + ".");
    }
}
