package dev.holdfast.cli.command;

import dev.holdfast.cli.settings.ClientOptions;
import dev.holdfast.cli.settings.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The top-level command {@code holdfast}, without its commands, which {@link Program} adds. */
@Command(
        name = "holdfast",
        versionProvider = HoldfastCommand.Version.class,
        description = "Locks shared by machines, on one Redis or a majority of several.",
        sortOptions = false,
        customSynopsis = "holdfast [OPTIONS] COMMAND ...",
        footer = {
            "",
            "The nodes come from --node, or else from HOLDFAST_NODES (separated by blanks or",
            "commas), or else from the config file. If none is given, the development nodes",
            "of this machine are used, or else its development cluster. If there is none",
            "either, five development nodes are started.",
            "",
            "The path of the config file comes from --config, or else from HOLDFAST_CONFIG,",
            "or else it is ~/.config/holdfast/holdfast.properties. An example of a line:",
            "  nodes = redis://a:6379 redis://b:6379 redis://c:6379",
            "Its keys: nodes, key-prefix, ttl, username, password-file, node-timeout,",
            "connect-timeout, no-quorum-timeout, restart-quarantine, tls-ca, tls-cert,",
            "tls-key, and those of a server; see 'holdfast serve --help'.",
            "",
            "DUR is a duration: 500ms, 30s, 5m, 1h, 2d; a plain number counts seconds.",
            "HOLDFAST_DEBUG=1 shows logs and stack traces.",
        })
public final class HoldfastCommand extends CommandGroup {

    @Mixin
    final ClientOptions client = new ClientOptions();

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Show logs on standard error; run and elect also name their nodes.")
    boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    boolean version;

    boolean isVerbose() {
        return verbose;
    }

    Settings settings() {
        return Settings.of(client, System.getenv());
    }

    /** The version from the jar's manifest. */
    static final class Version implements IVersionProvider {

        /** Returns the version of this command line; null if it does not run from its jar. */
        static @Nullable String release() {
            return Version.class.getPackage().getImplementationVersion();
        }

        @Override
        public String[] getVersion() {
            String version = release();
            return new String[] {
                "holdfast " + (version == null ? "(not packaged)" : version) + ", Java "
                        + Runtime.version().feature()
            };
        }
    }
}
