package dev.holdfast.server.message;

import java.util.Map;

/** What every answer bears. No answer is for a page of another origin, so there is no CORS. */
public final class Headers {

    public static final Map<String, String> STRICT = Map.of(
            "Cache-Control", "no-store",
            "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Referrer-Policy", "no-referrer",
            "X-Content-Type-Options", "nosniff");

    private Headers() {}
}
