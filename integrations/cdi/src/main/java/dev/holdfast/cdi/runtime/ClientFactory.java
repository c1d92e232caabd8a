package dev.holdfast.cdi.runtime;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.cdi.HoldfastBuilderCustomizer;
import dev.holdfast.cdi.HoldfastPropertyException;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.locked.CheckedStart;
import dev.holdfast.locked.ClientText;
import dev.holdfast.locked.NodeUris;
import dev.holdfast.locked.UnfitSetting;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.observe.ClientObserver;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The factory of the application's client, from its settings. Every error names the property at fault. */
public final class ClientFactory {

    private static final String NODES = "nodes";

    private final Platform platform;
    private final ClientSettings config;
    private final HoldfastBuilder builder = Holdfast.builder();

    public ClientFactory(Platform platform) {
        this.platform = platform;
        this.config = platform.settings();
    }

    /**
     * Creates the client. It does not wait for the nodes unless a property requests that.
     *
     * @throws HoldfastPropertyException if a property is missing or wrong
     */
    public Holdfast create(Iterable<ClientObserver> observers, Iterable<HoldfastBuilderCustomizer> customizers) {
        nodes();
        settings();
        observers.forEach(builder::observer);
        customizers.forEach(customizer -> customizer.customize(builder));
        try {
            return config.checkNodesAtStart().orElse(false)
                    ? CheckedStart.connect(
                            builder,
                            platform.root() + "check-nodes-at-start",
                            (what, remedy, cause) -> problem(NODES, what, remedy, cause))
                    : builder.build();
        } catch (IllegalArgumentException e) {
            UnfitSetting unfit = UnfitSetting.of(
                    platform.root(),
                    config.ttl().orElse(null),
                    config.node().timeout().orElse(null),
                    e);
            throw new HoldfastPropertyException(unfit.name(), unfit.why(), unfit.remedy(), e);
        }
    }

    private void nodes() {
        List<String> uris = NodeUris.whole(config.nodes().orElse(List.of()));
        if (uris.isEmpty()) {
            throw problem(
                    NODES,
                    "no nodes are configured",
                    "Set one Redis or Valkey server, such as redis://localhost:6379, or three or more independent ones"
                            + (platform.otherNodes().isEmpty() ? "" : ". " + platform.otherNodes()),
                    null);
        }
        for (String uri : uris) {
            set(NODES, Optional.of(uri), it -> builder.nodes(it));
        }
        set("node", Optional.of(options()), builder::nodeOptions);
    }

    private NodeOptions options() {
        NodeOptions[] options = {NodeOptions.defaults()};
        ClientSettings.NodeSettings node = config.node();
        set("node.connect-timeout", node.connectTimeout(), it -> options[0] = options[0].connectTimeout(it));
        set("node.timeout", node.timeout(), it -> options[0] = options[0].timeout(it));
        requireWith("node.password", node.password(), "node.username", node.username());
        node.password()
                .ifPresent(password ->
                        options[0] = options[0].credentials(node.username().orElse(null), () -> password));
        ClientSettings.SentinelSettings sentinel = node.sentinel();
        requireWith("node.sentinel.password", sentinel.password(), "node.sentinel.username", sentinel.username());
        sentinel.password()
                .ifPresent(password -> options[0] =
                        options[0].sentinelCredentials(sentinel.username().orElse(null), () -> password));
        ClientSettings.TlsSettings tls = node.tls();
        set(
                "node.tls.trusted-certificates",
                tls.trustedCertificates(),
                it -> options[0] = options[0].trustedCertificates(Path.of(it)));
        requireWith("node.tls.client-key", tls.clientKey(), "node.tls.client-certificate", tls.clientCertificate());
        requireWith("node.tls.client-certificate", tls.clientCertificate(), "node.tls.client-key", tls.clientKey());
        tls.clientCertificate()
                .ifPresent(certificate -> set(
                        "node.tls.client-key",
                        tls.clientKey(),
                        key -> options[0] = options[0].clientCertificate(Path.of(certificate), Path.of(key))));
        set("node.tls.verify-hostname", tls.verifyHostname(), it -> options[0] = options[0].verifyHostname(it));
        return options[0];
    }

    private void requireWith(String property, Optional<String> value, String other, Optional<String> otherValue) {
        if (otherValue.isPresent() && value.isEmpty()) {
            throw problem(
                    property,
                    platform.root() + other + " is set, but this property is not",
                    "Set both, or neither",
                    null);
        }
    }

    private void settings() {
        set("key-prefix", config.keyPrefix(), builder::keyPrefix);
        set("client-name", config.clientName().or(this::defaultName), builder::clientName);
        set("ttl", config.ttl(), lock(LockOptions::ttl));
        set("auto-extend", config.autoExtend(), lock(LockOptions::autoExtend));
        set("max-hold", config.maxHold(), lock(LockOptions::maxHold));
        set("local-hand-over", config.localHandOver(), lock(LockOptions::localHandOver));
        set("linger", config.linger(), lock(LockOptions::linger));
        set("waiter-ttl", config.waiterTtl(), lock(LockOptions::waiterTtl));
        set("fence-retention", config.fenceRetention(), builder::fenceRetention);
        set("no-quorum-timeout", config.noQuorumTimeout(), builder::noQuorumTimeout);
        set("restart-quarantine", config.restartQuarantine(), builder::restartQuarantine);
    }

    private Optional<String> defaultName() {
        return platform.applicationName()
                .filter(name -> !name.isBlank())
                .map(name -> ClientText.name(name, System.getenv("HOSTNAME")));
    }

    /** Sets an option of locks. */
    private <T> Consumer<T> lock(BiFunction<LockOptions, T, LockOptions> setter) {
        return value -> builder.lockOptions(options -> setter.apply(options, value));
    }

    private <T> void set(String property, Optional<T> value, Consumer<T> setter) {
        if (value.isPresent()) {
            try {
                setter.accept(value.get());
            } catch (IllegalArgumentException e) {
                throw wrong(property, e);
            }
        }
    }

    private HoldfastPropertyException wrong(String property, IllegalArgumentException e) {
        return problem(property, Objects.requireNonNullElse(e.getMessage(), "it is not valid"), "Correct it", e);
    }

    private HoldfastPropertyException problem(String property, String what, String remedy, @Nullable Throwable cause) {
        return new HoldfastPropertyException(platform.root() + property, what, remedy, cause);
    }
}
