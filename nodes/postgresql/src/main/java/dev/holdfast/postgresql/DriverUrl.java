package dev.holdfast.postgresql;

import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.postgresql.Driver;

/**
 * An address for the JDBC driver.
 *
 * @param url the URL, which begins with {@code jdbc:postgresql:}
 * @param own supplies the properties of each new connection; they take precedence over the client's options
 */
record DriverUrl(String url, Supplier<Properties> own) {

    private static final String START = "jdbc:postgresql:";
    private static final Pattern USER_BEFORE_HOST = Pattern.compile(START + "//[^/?]*@");
    private static final String LOCAL = "//localhost:5432/"; // the driver's defaults

    DriverUrl {
        if (!url.startsWith(START)) {
            throw new IllegalArgumentException(
                    "the URL is not that of a PostgreSQL database; it must begin with " + START);
        }
        if (USER_BEFORE_HOST.matcher(url).lookingAt()) { // the name would show the password
            throw new IllegalArgumentException(
                    "the URL has a user before the host, which the JDBC driver takes for a part of the host; write "
                            + START + "//host/database?user=name&password=secret");
        }
    }

    /** Returns the name of the node, without parameters, which may contain a password. */
    String name() {
        String where = url.substring(START.length()).split("\\?", 2)[0].replace(" ", "%20");
        return "postgresql:"
                + (where.startsWith("//") ? where : LOCAL + where.substring(where.startsWith("/") ? 1 : 0));
    }

    /** Returns a source of connections with these properties and the client's options. */
    ConnectionSource connections(NodeContext context) {
        return new ConnectionSource() {
            @Override
            public Connection open() throws SQLException {
                return connect(context);
            }

            @Override
            public boolean isOwn() {
                return true;
            }
        };
    }

    private Connection connect(NodeContext context) throws SQLException {
        Properties properties = settings(context);
        own.get().forEach(properties::put);
        Connection connection = new Driver().connect(url, properties);
        if (connection == null) {
            throw new SQLException("the driver does not know the address " + name());
        }
        return connection;
    }

    /** Returns whether the driver can load the factory by its name. In an application server, the driver may belong to a loader above this class's. */
    private static boolean driverFindsFactory() {
        try {
            Class<?> found = Class.forName(PromptSocketFactory.class.getName(), false, Driver.class.getClassLoader());
            return found == PromptSocketFactory.class;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * Returns the client's name without its random part. Every role of the database can read the name of an application, and may send notifications. With
     * the whole name it could listen to the client's pushes, and forge a grant.
     */
    private static String readableName(String client) {
        return client.substring(0, Math.max(client.lastIndexOf('~'), 0));
    }

    private static Properties settings(NodeContext context) {
        NodeOptions options = context.options();
        Properties properties = new Properties();
        properties.setProperty("ApplicationName", "holdfast:" + readableName(context.client()));
        long seconds = Math.max(options.connectTimeout().toSeconds(), 1);
        properties.setProperty("connectTimeout", Long.toString(seconds));
        properties.setProperty("loginTimeout", Long.toString(2 * seconds));
        properties.setProperty("tcpKeepAlive", "true");
        if (driverFindsFactory()) {
            properties.setProperty("socketFactory", PromptSocketFactory.class.getName());
        }
        if (options.trustedCertificates() != null) {
            properties.setProperty("sslmode", options.verifyHostname() ? "verify-full" : "verify-ca");
            properties.setProperty("sslrootcert", options.trustedCertificates().toString());
        }
        if (options.certificate() != null && options.privateKey() != null) {
            properties.setProperty("sslcert", options.certificate().toString());
            properties.setProperty("sslkey", options.privateKey().toString());
        }
        if (options.username() != null) {
            properties.setProperty("user", options.username());
        }
        Supplier<String> secret = options.password();
        if (secret != null) {
            properties.setProperty("password", secret.get());
        }
        return properties;
    }
}
