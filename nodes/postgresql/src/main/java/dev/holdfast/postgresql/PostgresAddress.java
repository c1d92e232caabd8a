package dev.holdfast.postgresql;

import dev.holdfast.node.NodeContext;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The address of a database, from a node's URI.
 *
 * @param parameters the parameters for the JDBC driver
 */
record PostgresAddress(
        String host,
        int port,
        String database,
        @Nullable String user,
        @Nullable String password,
        Schema schema,
        Map<String, String> parameters) {

    private static final int DEFAULT_PORT = 5432;
    private static final String FORM = "postgresql://[user[:password]@]host[:port]/database[?schema=name]";

    /**
     * Parses a URI.
     *
     * @throws IllegalArgumentException if the URI is wrong; the message has no user and no password
     */
    static PostgresAddress parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw bad("it is not a URI; percent-encode special characters of user and password");
        }
        String host = uri.getHost();
        if (host == null || host.isEmpty()) {
            throw bad("it has no host");
        }
        String path = uri.getPath() == null ? "" : uri.getPath();
        if (path.length() < 2 || path.indexOf('/', 1) >= 0) {
            throw bad("it names no database");
        }
        if (uri.getFragment() != null) {
            throw bad("it has a '#'; percent-encode it");
        }
        Map<String, String> parameters = parameters(uri.getRawQuery());
        String schema = parameters.remove("schema");
        String login = uri.getRawUserInfo();
        int colon = login == null ? -1 : login.indexOf(':');
        String user = login == null ? null : decoded(colon < 0 ? login : login.substring(0, colon));
        return new PostgresAddress(
                host,
                uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                path.substring(1),
                user == null || user.isEmpty() ? null : user,
                login == null || colon < 0 ? null : decoded(login.substring(colon + 1)),
                new Schema(schema == null ? Schema.DEFAULT_NAME : schema),
                Map.copyOf(parameters));
    }

    private static IllegalArgumentException bad(String why) {
        return new IllegalArgumentException(
                "the URI is not the address of a PostgreSQL node: " + why + ". It must look like " + FORM);
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new TreeMap<>();
        if (query != null) {
            for (String one : query.split("&")) {
                int equals = one.indexOf('=');
                if (equals < 1) {
                    throw bad("a parameter has no value");
                }
                parameters.put(decoded(one.substring(0, equals)), decoded(one.substring(equals + 1)));
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Returns the name of the node, without user and password. */
    String name() {
        String where = "postgresql://" + host + ":" + port + "/" + database;
        return schema.name().equals(Schema.DEFAULT_NAME) ? where : where + "?schema=" + schema.name();
    }

    /** Returns a source of connections with these parameters and the client's options. */
    ConnectionSource connections(NodeContext context) {
        DriverUrl driver = new DriverUrl("jdbc:postgresql://" + host + ":" + port + "/" + database, this::properties);
        return () -> driver.connect(context);
    }

    private Properties properties() {
        Properties properties = new Properties();
        parameters.forEach(properties::setProperty);
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        return properties;
    }

    @Override
    public String toString() {
        return name();
    }
}
