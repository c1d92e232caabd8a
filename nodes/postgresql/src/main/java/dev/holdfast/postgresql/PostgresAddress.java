package dev.holdfast.postgresql;

import dev.holdfast.node.NodeContext;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a database, from a node's URI.
 *
 * @param hosts the host and the port of the server; several, separated by commas, if the server may be any of them
 * @param parameters the parameters for the JDBC driver
 */
record PostgresAddress(
        String hosts,
        String database,
        @Nullable String user,
        @Nullable String password,
        Schema schema,
        Map<String, String> parameters) {

    private static final String DRIVER = "jdbc:";
    private static final String DEFAULT_PORT = "5432";
    private static final int LARGEST_PORT = 65_535;
    private static final String FORM =
            "postgresql://[user[:password]@]host[:port][,host[:port]...]/database[?schema=name]";
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9_.-]+)(?::(\\d{1,5}))?");

    /**
     * Parses a URI.
     *
     * @throws IllegalArgumentException if the URI is wrong; the message has no user and no password
     */
    static PostgresAddress parse(String text) {
        String own = withoutDriver(text);
        boolean isDrivers = !own.equals(text);
        int question = isDrivers ? own.indexOf('?') : -1;
        URI uri;
        try {
            uri = new URI(isDrivers ? (question < 0 ? own : own.substring(0, question)).replace(" ", "%20") : own);
        } catch (URISyntaxException e) {
            throw bad("it is not a URI; percent-encode special characters of user and password");
        }
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        int at = authority.lastIndexOf('@');
        String hosts = hosts(authority.substring(at + 1));
        String path = uri.getPath() == null ? "" : isDrivers ? asTheDriver(uri.getRawPath()) : uri.getPath();
        if (path.length() < 2 || path.indexOf('/', 1) >= 0) {
            throw bad("it names no database");
        }
        if (uri.getFragment() != null) {
            throw bad("it has a '#'; percent-encode it");
        }
        Map<String, String> parameters =
                question < 0 ? parameters(uri.getRawQuery()) : parametersOfTheDriver(own.substring(question + 1));
        String schema = parameters.remove("schema");
        if (hosts.contains(",")) { // a standby is never a node
            parameters.putIfAbsent("targetServerType", "primary");
        }
        String login = at < 0 ? null : authority.substring(0, at);
        int colon = login == null ? -1 : login.indexOf(':');
        String user = login == null ? null : decoded(colon < 0 ? login : login.substring(0, colon));
        return new PostgresAddress(
                hosts,
                path.substring(1),
                user == null || user.isEmpty() ? null : user,
                login == null || colon < 0 ? null : decoded(login.substring(colon + 1)),
                new Schema(schema == null ? Schema.DEFAULT_NAME : schema),
                Map.copyOf(parameters));
    }

    /** Returns the URI in the URL of the JDBC driver. */
    private static String withoutDriver(String text) {
        if (!text.regionMatches(true, 0, DRIVER, 0, DRIVER.length())) {
            return text;
        }
        String uri = text.substring(DRIVER.length());
        if (!uri.startsWith("postgresql:")) {
            throw bad("'jdbc:' is followed by the name of another driver");
        }
        return uri;
    }

    /** Returns the hosts, each with its port. */
    private static String hosts(String text) {
        if (text.isEmpty()) {
            throw bad("it has no host");
        }
        return Arrays.stream(text.split(",", -1))
                .map(one -> {
                    Matcher host = HOST.matcher(one);
                    if (!host.matches()) {
                        throw bad(
                                "each host must look like host or host:port; percent-encode special characters of user and password");
                    }
                    String port = host.group(2) == null ? DEFAULT_PORT : host.group(2);
                    int number = Integer.parseInt(port);
                    if (number < 1 || number > LARGEST_PORT) {
                        throw bad("its port is " + port + ", but must be from 1 to " + LARGEST_PORT);
                    }
                    return host.group(1) + ":" + port;
                })
                .collect(Collectors.joining(","));
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

    /** Returns the parameters of a URL of the driver, which may have any characters, and parameters without a value. */
    private static Map<String, String> parametersOfTheDriver(String query) {
        Map<String, String> parameters = new TreeMap<>();
        for (String one : query.split("&")) {
            if (!one.isEmpty()) {
                int equals = one.indexOf('=');
                String name = equals < 0 ? one : one.substring(0, equals);
                parameters.put(name, equals < 0 ? "" : asTheDriver(one.substring(equals + 1)));
            }
        }
        return parameters;
    }

    /** Returns a decoded part of a URL of the driver, where a plus sign means a space. */
    private static String asTheDriver(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // the message has a part of the text, which may be a password
            throw bad("a '%' is not followed by two hexadecimal digits; write %25 for it");
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private String encodedDatabase() {
        return URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns the name of the node, without user and password. */
    String name() {
        String where = "postgresql://" + hosts + "/" + encodedDatabase();
        return schema.name().equals(Schema.DEFAULT_NAME) ? where : where + "?schema=" + schema.name();
    }

    /** Returns a source of connections with these parameters and the client's options. */
    ConnectionSource connections(NodeContext context) {
        return new DriverUrl("jdbc:postgresql://" + hosts + "/" + encodedDatabase(), this::properties)
                .connections(context);
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
