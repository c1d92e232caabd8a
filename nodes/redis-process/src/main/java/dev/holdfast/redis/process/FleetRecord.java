package dev.holdfast.redis.process;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a server that a fleet records in its directory for later JVMs: {@code node.properties}.
 *
 * <p>They do not include the pid, which the server itself writes to {@code redis.pid} at each start. The pid is
 * therefore known even if a JVM dies after it has started a server and before it has written this record.
 */
final class FleetRecord {

    private static final String FILE = "node.properties";
    private static final String ENVIRONMENT = "environment.";

    private FleetRecord() {}

    static void write(ServerSetup setup) {
        Properties fields = new Properties();
        fields.setProperty("binary", setup.binary().path().toString());
        fields.setProperty("log", setup.directory().log().toString());
        fields.setProperty("port", Integer.toString(setup.listening().port()));
        fields.setProperty("tlsPort", Integer.toString(setup.listening().tlsPort()));
        fields.setProperty(
                "startWithinMillis", Long.toString(setup.launch().within().toMillis()));
        set(fields, "socket", setup.listening().socket());
        Login login = setup.login();
        if (login != null) {
            set(fields, "user", login.user());
            fields.setProperty("password", login.password());
        }
        setup.launch().environment().forEach((name, value) -> fields.setProperty(ENVIRONMENT + name, value));
        try {
            StringWriter text = new StringWriter();
            fields.store(text, null);
            PrivateFile.write(setup.directory().root().resolve(FILE), text.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the record in this directory; empty if there is none. */
    static Optional<ServerSetup> read(Path root) {
        try {
            Properties fields = new Properties();
            fields.load(new StringReader(Files.readString(root.resolve(FILE))));
            return Optional.of(parse(root.toAbsolutePath().normalize(), fields));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServerSetup parse(Path root, Properties fields) {
        String socket = fields.getProperty("socket");
        return new ServerSetup(
                new RedisBinary(Path.of(required(fields, "binary"))),
                new ServerDirectory(root, Path.of(required(fields, "log"))),
                new ServerSetup.Listening(
                        Integer.parseInt(required(fields, "port")),
                        Integer.parseInt(required(fields, "tlsPort")),
                        socket == null ? null : Path.of(socket),
                        null),
                login(fields),
                new ServerSetup.Launch(
                        environment(fields),
                        Duration.ofMillis(Long.parseLong(required(fields, "startWithinMillis"))),
                        true));
    }

    private static @Nullable Login login(Properties fields) {
        String password = fields.getProperty("password");
        return password == null ? null : new Login(fields.getProperty("user"), password);
    }

    private static Map<String, String> environment(Properties fields) {
        Map<String, String> environment = new HashMap<>();
        for (String name : fields.stringPropertyNames()) {
            if (name.startsWith(ENVIRONMENT)) {
                environment.put(name.substring(ENVIRONMENT.length()), required(fields, name));
            }
        }
        return Map.copyOf(environment);
    }

    private static void set(Properties fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.setProperty(name, value.toString());
        }
    }

    private static String required(Properties fields, String name) {
        String value = fields.getProperty(name);
        if (value == null) {
            throw new IllegalStateException(FILE + " without " + name);
        }
        return value;
    }
}
