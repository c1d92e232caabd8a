package dev.holdfast.redis.connection;

import dev.holdfast.redis.connection.RedisAddress.Credentials;
import dev.holdfast.redis.connection.RedisAddress.Host;
import dev.holdfast.redis.connection.RedisAddress.Kind;
import dev.holdfast.redis.connection.RedisAddress.Place;
import dev.holdfast.redis.script.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads node URIs:
 *
 * <pre>
 * redis://[user[:password]@]host[:port][/database]      rediss:// for TLS
 * redis-socket:///path/to/redis.sock[?database=n]
 * redis-sentinel://[user:password@]host[:port],…[/database]?master=name      rediss-sentinel:// for TLS
 * redis-cluster://[user:password@]host[:port],…      rediss-cluster:// for TLS
 * </pre>
 *
 * <p>Every fault is reported as an {@link IllegalArgumentException} with one line, which omits everything before the last {@code @}, since
 * that may be a secret.
 */
public final class RedisAddressParser {

    private static final int REDIS_PORT = 6379;
    private static final int SENTINEL_PORT = 26379;
    private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9._-]{0,252})");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9._-]+)?");
    private static final int MOST_DATABASES = 65_536;

    private final String shown;

    private RedisAddressParser(String uri) {
        int at = uri.lastIndexOf('@');
        int colons = uri.indexOf("://");
        String open = at < 0
                ? uri
                : uri.substring(0, Math.max(colons, 0)) + (colons < 0 ? "" : "://") + "***" + uri.substring(at);
        this.shown = Printable.shortened(open, 200);
    }

    public static RedisAddress parse(String uri) {
        return new RedisAddressParser(uri).read(uri);
    }

    private RedisAddress read(String uri) {
        int colons = uri.indexOf("://");
        String scheme = uri.substring(0, Math.max(colons, 0)).toLowerCase(Locale.ROOT);
        boolean tls = scheme.startsWith("rediss");
        Kind kind = kind(scheme, tls);
        if (uri.indexOf('#') >= 0) {
            throw wrong("'#' has no meaning here; in a user or a password write %23");
        }
        String rest = uri.substring(colons + 3);
        checkSecretIsWhole(rest, kind);
        int question = rest.indexOf('?');
        Map<String, String> parameters = parameters(question < 0 ? "" : rest.substring(question + 1), allowed(kind));
        rest = question < 0 ? rest : rest.substring(0, question);
        if (kind == Kind.SOCKET) {
            return socket(rest, parameters);
        }
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        int database = slash < 0 || slash == rest.length() - 1 ? 0 : database(rest.substring(slash + 1));
        if (kind == Kind.CLUSTER && database != 0) {
            throw wrong("a Redis Cluster has no database " + database + ", only 0");
        }
        int at = authority.lastIndexOf('@');
        Credentials credentials = credentials(at < 0 ? null : authority.substring(0, at));
        List<Host> hosts = hosts(authority.substring(at + 1), kind);
        String master = parameters.get("master");
        if (kind == Kind.SENTINEL && master == null) {
            throw wrong("the name of the master is missing: end with '?master=name'");
        }
        return new RedisAddress(kind, tls, new Place(hosts, null, master), database, credentials);
    }

    /** Rejects a slash or a question mark in a password: the parser would read, and show, the rest of the password as something else. */
    private void checkSecretIsWhole(String rest, Kind kind) {
        String before = rest.substring(0, Math.max(rest.lastIndexOf('@'), 0));
        boolean slash = kind != Kind.SOCKET && before.indexOf('/') >= 0; // a path has slashes, and may have an '@'
        if (slash || before.indexOf('?') >= 0) {
            throw wrong("before the '@' there is a '/' or a '?'; in a user or a password write %2F or %3F,"
                    + " and %40 for an '@' after the host");
        }
    }

    private Kind kind(String scheme, boolean tls) {
        for (Kind kind : Kind.values()) {
            if (kind.scheme(tls).equals(scheme) && !(tls && kind == Kind.SOCKET)) {
                return kind;
            }
        }
        throw wrong("begin with redis://, redis-socket://, redis-sentinel:// or redis-cluster://;"
                + " with TLS, rediss://, rediss-sentinel:// or rediss-cluster://");
    }

    private static List<String> allowed(Kind kind) {
        return switch (kind) {
            case SENTINEL -> List.of("master");
            case SOCKET -> List.of("database");
            case SERVER, CLUSTER -> List.of();
        };
    }

    private Map<String, String> parameters(String query, List<String> allowed) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            if (!allowed.contains(name)) {
                throw wrong("there is no parameter '" + Printable.shortened(name, 30) + "' here; "
                        + (allowed.isEmpty() ? "none is allowed" : "allowed: " + String.join(", ", allowed)));
            }
            String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
            if (value.isEmpty() || parameters.put(name, value) != null) {
                throw wrong("the parameter '" + name + "' must be given once, and not empty");
            }
        }
        return parameters;
    }

    private RedisAddress socket(String path, Map<String, String> parameters) {
        String decoded = decoded(path);
        if (!decoded.startsWith("/") || decoded.length() < 2 || decoded.indexOf('\0') >= 0) {
            throw wrong("a socket is named by its absolute path, as in redis-socket:///run/redis.sock");
        }
        String number = parameters.get("database");
        int database = number == null ? 0 : database(number);
        return new RedisAddress(Kind.SOCKET, false, new Place(List.of(), decoded, null), database, null);
    }

    private int database(String text) {
        return number("database", text, 0, MOST_DATABASES - 1);
    }

    private int number(String what, String text, int least, int most) {
        if (text.matches("[0-9]{1,6}") && Integer.parseInt(text) >= least && Integer.parseInt(text) <= most) {
            return Integer.parseInt(text);
        }
        throw wrong("the " + what + " is '" + Printable.shortened(text, 20) + "', but must be a number from " + least
                + " to " + most);
    }

    /** Reads user and password. One word before the '@' is a password to some drivers and a user to others, so the parser rejects it. */
    private @Nullable Credentials credentials(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw wrong("the part before the '@' may be a user or a password: write 'user:password@' or ':password@'");
        }
        String password = decoded(text.substring(colon + 1));
        if (password.isEmpty()) {
            throw wrong("the password is empty: leave the credentials out, or write 'user:password@' or ':password@'");
        }
        String user = decoded(text.substring(0, colon));
        return new Credentials(user.isEmpty() ? null : user, password);
    }

    private List<Host> hosts(String text, Kind kind) {
        List<Host> hosts = new ArrayList<>();
        for (String host : text.split(",", -1)) {
            hosts.add(host(host, kind == Kind.SENTINEL ? SENTINEL_PORT : REDIS_PORT));
        }
        if (kind == Kind.SERVER && hosts.size() > 1) {
            throw wrong("this names " + hosts.size() + " servers, but a node is one: give each a URI of its own");
        }
        return hosts;
    }

    private Host host(String text, int defaultPort) {
        String name = text;
        String port = "";
        int bracket = text.lastIndexOf(']');
        int colon = text.indexOf(':', Math.max(bracket, 0));
        boolean bareIpv6 = bracket < 0 && colon != text.lastIndexOf(':');
        if (colon >= 0 && !bareIpv6) {
            name = text.substring(0, colon);
            port = text.substring(colon + 1);
        }
        boolean bracketed = name.startsWith("[") && name.endsWith("]") && name.length() > 2;
        String bare = bracketed ? name.substring(1, name.length() - 1) : name;
        if (!(bracketed ? IPV6 : HOST_NAME).matcher(bare).matches()) {
            throw wrong(
                    bare.isEmpty()
                            ? "the host is missing"
                            : "'" + Printable.shortened(bare, 40)
                                    + "' is not a host; write an IPv6 address in brackets, as in [::1]");
        }
        return new Host(bare, colon < 0 ? defaultPort : number("port", port, 1, 65_535));
    }

    private String decoded(String text) {
        try {
            return PercentCoding.decode(text);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("'" + shown + "' is not the URI of a Redis node: " + why);
    }
}
