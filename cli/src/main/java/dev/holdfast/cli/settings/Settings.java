package dev.holdfast.cli.settings;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.settings.ConfigFile.Setting;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.server.AccessToken;
import dev.holdfast.server.Limits;
import dev.holdfast.server.client.FileProblem;
import dev.holdfast.server.client.PemFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The effective settings. Options take precedence over the environment, and the environment over the config file. */
public final class Settings {

    /** The variable with the nodes. */
    static final String NODES = "HOLDFAST_NODES";

    private static final String DEFAULT_CONFIG = ".config/holdfast/holdfast.properties";

    /** The beginning of a second URI in a text. */
    private static final Pattern SEVERAL = Pattern.compile("[,;|\\s](?:jdbc:)?[A-Za-z][A-Za-z0-9+.-]*://");

    /** The user and the password of each URI in a text, also if they have characters that must be encoded. */
    private static final Pattern CREDENTIALS = Pattern.compile("//(?:(?!" + SEVERAL.pattern() + ").)*@");

    private final ClientOptions options;
    private final Map<String, String> environment;
    private final ConfigFile config;
    private final @Nullable Duration ttl;

    private Settings(
            ClientOptions options, Map<String, String> environment, ConfigFile config, @Nullable Duration ttl) {
        this.options = options;
        this.environment = environment;
        this.config = config;
        this.ttl = ttl;
    }

    public static Settings of(ClientOptions options, Map<String, String> environment) {
        return new Settings(options, environment, config(options, environment), null);
    }

    /** Returns the same settings with the ttl of a command's own option, if that was given. */
    public Settings withTtl(@Nullable Duration own) {
        return own == null ? this : new Settings(options, environment, config, own);
    }

    private static ConfigFile config(ClientOptions options, Map<String, String> environment) {
        Optional<Path> named = Optional.ofNullable(options.config)
                .or(() -> variable(environment, "HOLDFAST_CONFIG").map(Settings::namedByVariable));
        if (named.isPresent()) {
            return ConfigFile.read(named.get());
        }
        return variable(environment, "HOME")
                .map(home -> namedByVariable(home).resolve(DEFAULT_CONFIG))
                .filter(Files::exists)
                .map(ConfigFile::read)
                .orElseGet(ConfigFile::none);
    }

    private static Path namedByVariable(String text) {
        try {
            return PathText.parse(text);
        } catch (IllegalArgumentException e) {
            throw Failure.usage("HOLDFAST_CONFIG or HOME: " + e.getMessage());
        }
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    /** Returns the nodes from any of the sources; empty if there are none. */
    public List<String> nodes() {
        if (!options.nodes.isEmpty()) {
            options.nodes.forEach(Settings::requireOne);
            return options.nodes;
        }
        Optional<String> text = variable(environment, NODES).or(() -> config.text(Setting.NODES));
        List<String> nodes = text.map(NodeList::parse).orElse(List.of());
        if (text.isPresent() && nodes.isEmpty()) {
            throw Failure.usage("the list of nodes '" + Printable.line(text.get(), 40) + "' has no nodes");
        }
        nodes.forEach(Settings::requireOne);
        return nodes;
    }

    /** Refuses the nodes of the config file that the servers of the development cluster read: those have no other nodes. */
    public static void requireNoNodesInFile(Map<String, String> environment) {
        if (config(new ClientOptions(), environment).text(Setting.NODES).isPresent()) {
            throw Failure.usage(
                    "the config file names nodes, but the servers of the development cluster read it too, and"
                            + " have no other nodes: remove 'nodes' from the file, or set HOLDFAST_CONFIG=/dev/null");
        }
    }

    private static void requireOne(String node) {
        if (SEVERAL.matcher(node).find()) {
            throw Failure.usage("'" + Printable.line(CREDENTIALS.matcher(node).replaceAll("//…@"), 80)
                    + "' is more than one node: repeat --node for each, or put a comma between them in a list");
        }
    }

    /** Returns the nodes from any of the sources, or else the development cluster; empty if there is none. */
    public List<String> clusterNodes() {
        List<String> named = nodes();
        return named.isEmpty() ? DevCluster.of(environment).uri().map(List::of).orElse(List.of()) : named;
    }

    /** Returns the access tokens of a lock server. */
    public List<AccessToken> tokens() {
        return config.tokens();
    }

    /** Returns the limits of a lock server. */
    public Limits limits() {
        return config.limits();
    }

    /** Returns a file of a lock server: the option's, or else the config file's. */
    public Optional<Path> serverFile(@Nullable Path option, Setting key) {
        return Optional.ofNullable(option).or(() -> config.path(key));
    }

    /** Returns a client builder with all settings except the nodes. */
    public HoldfastBuilder builder() {
        try {
            HoldfastBuilder builder = Holdfast.builder().nodeOptions(nodeOptions());
            Optional.ofNullable(options.keyPrefix)
                    .or(() -> config.text(Setting.KEY_PREFIX))
                    .ifPresent(builder::keyPrefix);
            Optional.ofNullable(ttl).or(() -> config.duration(Setting.TTL)).ifPresent(builder::ttl);
            Optional.ofNullable(options.noQuorumTimeout)
                    .or(() -> config.duration(Setting.NO_QUORUM_TIMEOUT))
                    .ifPresent(builder::noQuorumTimeout);
            Optional.ofNullable(options.restartQuarantine)
                    .or(() -> config.duration(Setting.RESTART_QUARANTINE))
                    .ifPresent(builder::restartQuarantine);
            return builder;
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the options for connecting to nodes. */
    public NodeOptions nodeOptions() {
        NodeOptions made = NodeOptions.defaults();
        var timeout = Optional.ofNullable(options.nodeTimeout).or(() -> config.duration(Setting.NODE_TIMEOUT));
        made = timeout.isPresent() ? made.timeout(timeout.get()) : made;
        var connect = Optional.ofNullable(options.connectTimeout).or(() -> config.duration(Setting.CONNECT_TIMEOUT));
        made = connect.isPresent() ? made.connectTimeout(connect.get()) : made;
        Optional<Supplier<String>> password = password();
        Optional<String> username = Optional.ofNullable(options.username).or(() -> config.text(Setting.USERNAME));
        if (username.isPresent() && password.isEmpty()) {
            throw Failure.usage("user '" + Printable.line(username.get(), 40)
                    + "' has no password: set HOLDFAST_PASSWORD or --password-file");
        }
        if (password.isPresent()) {
            made = made.credentials(username.orElse(null), password.get());
        }
        String ofSentinels = environment.get("HOLDFAST_SENTINEL_PASSWORD");
        if (ofSentinels != null) {
            made = made.sentinelCredentials(environment.get("HOLDFAST_SENTINEL_USERNAME"), () -> ofSentinels);
        }
        return withTls(made);
    }

    private NodeOptions withTls(NodeOptions made) {
        Optional<Path> ca = Optional.ofNullable(options.tlsCa).or(() -> config.path(Setting.TLS_CA));
        Optional<Path> certificate = Optional.ofNullable(options.tlsCert).or(() -> config.path(Setting.TLS_CERT));
        Optional<Path> key = Optional.ofNullable(options.tlsKey).or(() -> config.path(Setting.TLS_KEY));
        if (certificate.isPresent() != key.isPresent()) {
            throw Failure.usage("--tls-cert and --tls-key belong together, but only one of them is set");
        }
        NodeOptions trusting = made;
        if (ca.isPresent()) {
            checked("--tls-ca", () -> certificate(ca.get()));
            trusting = made.trustedCertificates(ca.get());
        }
        if (certificate.isPresent() && key.isPresent()) {
            checked("--tls-cert", () -> certificate(certificate.get()));
            checked("--tls-key", () -> requirePair(key.get(), certificate.get()));
            trusting = trusting.clientCertificate(certificate.get(), key.get());
        }
        return trusting;
    }

    private static X509Certificate certificate(Path file) {
        return PemFile.read(file).certificates().get(0);
    }

    private static void requirePair(Path key, Path certificate) {
        PublicKey known = certificate(certificate).getPublicKey();
        if (!KeyPairs.belong(PemFile.read(key).key(known.getAlgorithm()), known)) {
            throw new IllegalArgumentException("the file " + key + " has the key of another certificate than "
                    + certificate + "; name the key that this certificate was made for");
        }
    }

    /** Reads a file now, since the library would report a wrong one only at the first connection. */
    private static void checked(String option, Runnable reading) {
        try {
            reading.run();
        } catch (IllegalArgumentException e) {
            throw Failure.usage(option + ": " + e.getMessage());
        }
    }

    private Optional<Supplier<String>> password() {
        Optional<Path> file = Optional.ofNullable(options.passwordFile);
        if (file.isEmpty() && environment.get("HOLDFAST_PASSWORD") != null) {
            String password = environment.get("HOLDFAST_PASSWORD");
            return Optional.of(() -> password);
        }
        return file.or(() -> config.path(Setting.PASSWORD_FILE)).map(path -> {
            read(path); // reports an unreadable file now instead of at the first connection
            return () -> read(path);
        });
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).stripTrailing();
        } catch (IOException e) {
            String problem = Files.isDirectory(file) ? "is a directory" : FileProblem.words(e);
            throw Failure.usage("the password file " + Printable.line(file.toString(), 200) + " " + problem);
        }
    }

    /** Checks names and durations on an in-memory node, so that errors appear before a real node is asked or started. */
    public void rehearse(Consumer<Holdfast> use) {
        try (Holdfast rehearsal = builder().nodes("memory:").build()) {
            use.accept(rehearsal);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    /** Connects and waits until every node has been tried once. It reports wrong settings before it chooses or starts nodes. */
    public Holdfast connect() {
        return open(nodes -> nodes, HoldfastBuilder::connect);
    }

    /** Begins to connect, also to nodes that must not be used: their states say so. */
    public Holdfast open() {
        return open(nodes -> nodes, HoldfastBuilder::build);
    }

    /** Begins to connect to one node alone, the one at this index. */
    public Holdfast openNode(int index) {
        return open(nodes -> List.of(nodes.get(index)), HoldfastBuilder::build);
    }

    private Holdfast open(UnaryOperator<List<String>> part, Function<HoldfastBuilder, Holdfast> opening) {
        HoldfastBuilder builder = builder();
        try {
            return opening.apply(builder.nodes(part.apply(NodeChoice.of(this, environment))));
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        } catch (HoldfastException e) {
            throw new Failure(ExitCode.NO_QUORUM, String.valueOf(e.getMessage()), e);
        }
    }
}
