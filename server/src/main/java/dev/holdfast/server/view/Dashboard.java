package dev.holdfast.server.view;

import dev.holdfast.server.message.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard's page, whose files contain no data of any lock, so that every client may load them. The page requests its data with the user's token, as any
 * other client does.
 */
public final class Dashboard {

    /** The page's policy: only its own files and this server; no inline script or style, no frame, no form, and no HTML from text. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'";

    private static final String FOLDER = "/dashboard/";
    private static final String PAGE = "index.html";

    private static final List<String> FILES = List.of(
            PAGE,
            "icon.svg",
            "theme.css",
            "page.css",
            "lock.css",
            "timeline.css",
            "theme.js",
            "main.js",
            "dom.js",
            "words.js",
            "server.js",
            "stream.js",
            "token.js",
            "freshness.js",
            "figures.js",
            "nodes.js",
            "table.js",
            "rows.js",
            "lease-bar.js",
            "lock.js",
            "votes.js",
            "lanes.js",
            "timeline.js",
            "events.js",
            "break.js",
            "breakable.js",
            "address.js",
            "pager.js",
            "plain-table.js",
            "estimate.js",
            "cluster.js",
            "losses.js",
            "groups.js",
            "histogram.js",
            "waits.js",
            "levels.js",
            "kinds.js",
            "facts.js",
            "queue.js",
            "range.js",
            "bands.js",
            "timeline-panel.js");

    private final Map<String, File> files = new LinkedHashMap<>();
    private final Map<String, String> paths = new LinkedHashMap<>();

    /** One of the files, in memory. */
    private static final class File {
        private final ByteBuffer body;
        private final String type;
        private final String tag;

        File(String name) {
            byte[] bytes = bytes(name);
            this.body = ByteBuffer.wrap(bytes);
            this.type = type(name);
            this.tag = '"' + hash(bytes) + '"';
        }
    }

    public Dashboard() {
        for (String name : FILES) {
            files.put(name, new File(name));
            paths.put(name.equals(PAGE) ? "/" : FOLDER + name, name);
        }
    }

    /** Returns the names of the files by path. */
    public Map<String, String> paths() {
        return paths;
    }

    /** Returns the file, or the answer that the browser already has it. */
    public Answer answer(String name, @Nullable String knownTag) {
        File file = Objects.requireNonNull(files.get(name));
        Map<String, String> headers = Map.of(
                "Content-Security-Policy",
                POLICY,
                "Cache-Control",
                "no-cache", // a browser may keep the file, but must revalidate it each time
                "ETag",
                file.tag);
        return file.tag.equals(knownTag)
                ? new Answer(304, file.type, "", headers)
                : new Answer(200, file.type, file.body, headers);
    }

    private static byte[] bytes(String name) {
        try (InputStream in = Objects.requireNonNull(Dashboard.class.getResourceAsStream("dashboard/" + name), name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalArgumentException("no type for " + name);
        };
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
