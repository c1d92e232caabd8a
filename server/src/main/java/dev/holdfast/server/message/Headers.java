package dev.holdfast.server.message;

import java.util.HashMap;
import java.util.Map;

/** The headers of every answer. No answer is for a page of another origin, so there is no CORS. */
public final class Headers {

    private static final Map<String, String> STRICT = Map.of(
            "Cache-Control", "no-store",
            "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Referrer-Policy", "no-referrer",
            "X-Content-Type-Options", "nosniff");

    private static final Map<String, String> STRICT_OVER_TLS = withHsts();

    private Headers() {}

    private static Map<String, String> withHsts() {
        Map<String, String> headers = new HashMap<>(STRICT);
        headers.put("Strict-Transport-Security", "max-age=31536000"); // for a year, browsers come back only with TLS
        return Map.copyOf(headers);
    }

    /** Returns the headers of an answer over TLS, or over plain HTTP. */
    public static Map<String, String> of(boolean secure) {
        return secure ? STRICT_OVER_TLS : STRICT;
    }
}
