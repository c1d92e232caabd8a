package dev.holdfast.cli.settings;

import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.server.AccessToken;
import dev.holdfast.server.LimitSettings;
import dev.holdfast.server.Limits;
import dev.holdfast.server.TokenSettings;
import dev.holdfast.server.client.FileProblem;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A config file: Java properties in UTF-8. It rejects unknown keys. */
public final class ConfigFile {

    /** The keys that a file may have. */
    public enum Setting {
        NODES,
        KEY_PREFIX,
        TTL,
        USERNAME,
        PASSWORD_FILE,
        NODE_TIMEOUT,
        CONNECT_TIMEOUT,
        NO_QUORUM_TIMEOUT,
        RESTART_QUARANTINE,
        TLS_CA,
        TLS_CERT,
        TLS_KEY,
        HTTPS_CERT,
        HTTPS_KEY,
        ACCESS_LOG,
        AUDIT_LOG;

        /** Returns the key in the format of the file. */
        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The first character of UTF-8 files that some editors write. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final List<String> KEYS =
            Arrays.stream(Setting.values()).map(Setting::text).toList();

    private final String shown;
    private final Path folder;
    private final Map<String, String> values;

    private ConfigFile(String shown, Path folder, Map<String, String> values) {
        this.shown = shown;
        this.folder = folder;
        this.values = values;
    }

    static ConfigFile none() {
        return new ConfigFile("no config file", Path.of(""), Map.of());
    }

    public static ConfigFile read(Path file) {
        String shown = "config file " + Printable.line(file.toString(), 200);
        Map<String, String> values = new TreeMap<>();
        for (Map.Entry<Object, Object> entry : load(file, shown).entrySet()) {
            String key = entry.getKey().toString();
            if (!KEYS.contains(key) && !key.startsWith(TokenSettings.KEY) && !key.startsWith(LimitSettings.KEY)) {
                throw Failure.usage(shown + ": unknown key '" + key + "'; known keys are " + String.join(", ", KEYS)
                        + ", and keys that begin with " + LimitSettings.KEY + " or " + TokenSettings.KEY);
            }
            values.put(key, entry.getValue().toString().strip());
        }
        Path parent = file.toAbsolutePath().getParent();
        return new ConfigFile(shown, parent == null ? file : parent, values);
    }

    private static Properties load(Path file, String shown) {
        Properties properties = new SetOnce(shown);
        try {
            if (Files.isDirectory(file)) {
                throw Failure.usage(shown + " is a directory");
            }
            String text = Files.readString(file);
            properties.load(new StringReader(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text));
        } catch (IOException e) {
            throw Failure.usage(shown + " " + FileProblem.words(e));
        } catch (IllegalArgumentException e) { // a broken escape of a character
            throw Failure.usage(shown + " cannot be read: " + e.getMessage());
        }
        return properties;
    }

    /** The properties of a file while it is read. A key that is set twice is rejected, since the file's author may rely on either value. */
    private static final class SetOnce extends Properties {

        private static final long serialVersionUID = 1;

        private final String shown;

        SetOnce(String shown) {
            this.shown = shown;
        }

        @Override
        public synchronized @Nullable Object put(Object key, Object value) {
            if (containsKey(key)) {
                throw Failure.usage(shown + ": the key '" + Printable.line(key.toString(), 40)
                        + "' is set more than once; keep one of its lines");
            }
            return super.put(key, value);
        }
    }

    Optional<String> text(Setting key) {
        Optional<String> value = Optional.ofNullable(values.get(key.text()));
        value.filter(String::isEmpty).ifPresent(empty -> {
            if (key != Setting.KEY_PREFIX) {
                throw Failure.usage(shown + ": " + key.text() + " is empty");
            }
        });
        return value;
    }

    /** Returns the tokens of a lock server. */
    public List<AccessToken> tokens() {
        return part(TokenSettings.KEY, TokenSettings::parse);
    }

    /** Returns the limits of a lock server. */
    public Limits limits() {
        return part(LimitSettings.KEY, LimitSettings::parse);
    }

    private <T> T part(String start, Function<Map<String, String>, T> parser) {
        Map<String, String> settings = new TreeMap<>(values);
        settings.keySet().removeIf(key -> !key.startsWith(start));
        try {
            return parser.apply(settings);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(shown + ": " + e.getMessage());
        }
    }

    Optional<Duration> duration(Setting key) {
        return text(key).map(value -> {
            try {
                return DurationConverter.parse(value);
            } catch (IllegalArgumentException e) {
                throw Failure.usage(shown + ": " + key.text() + ": " + e.getMessage());
            }
        });
    }

    /** Returns a path; a relative one is resolved against the folder of the config file. */
    public Optional<Path> path(Setting key) {
        return text(key).map(value -> {
            try {
                return folder.resolve(PathText.parse(value));
            } catch (IllegalArgumentException e) {
                throw Failure.usage(shown + ": " + key.text() + ": " + e.getMessage());
            }
        });
    }

    @Override
    public String toString() {
        return shown;
    }
}
