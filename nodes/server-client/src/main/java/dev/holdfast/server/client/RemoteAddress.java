package dev.holdfast.server.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The address of a server.
 *
 * @param tls whether the connection is encrypted
 * @param host the server's name or address; an IPv6 address is in brackets
 * @param token the token that the client sends; null if the URI has none
 */
public record RemoteAddress(
        boolean tls, String host, int port, @Nullable String token) {

    /** The default port. */
    public static final int DEFAULT_PORT = 7420;

    private static final int LARGEST_PORT = 65_535;
    private static final String FORM = "holdfast://host, holdfast://host:7420 or holdfast://:token@host:7420";

    /**
     * Reads {@code holdfast://[:token@]host[:port]}, or {@code holdfasts://} for TLS.
     *
     * @throws IllegalArgumentException if the text is not such a URI; the message does not contain the token
     */
    public static RemoteAddress parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw wrong("it is not a URI");
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("holdfast") && !scheme.equals("holdfasts")) {
            throw wrong("its scheme is neither holdfast nor holdfasts");
        }
        if (uri.getHost() == null) {
            throw wrong("it has no host, or one with letters that no host has");
        }
        boolean more = !(uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"));
        if (more || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw wrong("it has more than a host and a port");
        }
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        if (port < 1 || port > LARGEST_PORT) {
            throw wrong("its port is " + port + ", but must be from 1 to " + LARGEST_PORT);
        }
        return new RemoteAddress(
                scheme.equals("holdfasts"), uri.getHost().toLowerCase(Locale.ROOT), port, token(uri.getRawUserInfo()));
    }

    private static @Nullable String token(@Nullable String userInfo) {
        if (userInfo == null) {
            return null;
        }
        if (!userInfo.startsWith(":") || userInfo.length() == 1) {
            throw wrong("the part before the @ must be a colon and a token");
        }
        return java.net.URLDecoder.decode(userInfo.substring(1).replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("the URI of a Holdfast server is wrong: " + why + "; write " + FORM);
    }

    /**
     * Reads a URI with one server or several, {@code holdfast://[:token@]host[:port],host[:port]…}. The token is for all of them.
     *
     * @return the servers, all different
     * @throws IllegalArgumentException if the text is not such a URI; the message does not contain the token
     */
    public static List<RemoteAddress> list(String text) {
        int begin = text.indexOf("://") + 3;
        int authorityEnd = begin < 3 ? text.length() : end(text, begin);
        int hosts = Math.max(text.lastIndexOf('@', authorityEnd - 1) + 1, Math.max(begin, 0));
        List<RemoteAddress> found = new ArrayList<>();
        for (String host : text.substring(hosts, authorityEnd).split(",", -1)) {
            if (host.isEmpty() && begin >= 3) {
                throw wrong("it has no host at one of its commas");
            }
            RemoteAddress address = parse(text.substring(0, hosts) + host + text.substring(authorityEnd));
            if (found.contains(address)) {
                throw wrong("it names " + address.name() + " twice");
            }
            found.add(address);
        }
        return found;
    }

    /** Returns where the hosts of a URI end. */
    private static int end(String text, int begin) {
        int end = begin;
        while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /** Returns the address without the token. */
    public String name() {
        return (tls ? "holdfasts" : "holdfast") + "://" + host + ":" + port;
    }

    /** Returns the {@code http} or {@code https} URI of this path. */
    public URI http(String path) {
        return URI.create((tls ? "https" : "http") + "://" + host + ":" + port + path);
    }

    /** Returns the {@code ws} or {@code wss} URI of this path. */
    public URI webSocket(String path) {
        return URI.create((tls ? "wss" : "ws") + "://" + host + ":" + port + path);
    }

    /** Returns the same text as {@link #name}. */
    @Override
    public String toString() {
        return name();
    }
}
