package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.LockOptions;
import dev.holdfast.locked.CheckedStart;
import dev.holdfast.locked.ClientText;
import dev.holdfast.locked.UnfitSetting;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.observe.ClientObserver;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.core.env.Environment;

/** The factory of the application's client, from its properties and connection details. Every error names the property at fault. */
final class ClientFactory {

    private static final Log LOG = LogFactory.getLog(ClientFactory.class);
    private static final String NODES = "holdfast.nodes";

    private final HoldfastProperties properties;
    private final List<HoldfastConnectionDetails> details;
    private final HoldfastBuilder builder = Holdfast.builder();

    ClientFactory(HoldfastProperties properties, List<HoldfastConnectionDetails> details) {
        this.properties = properties;
        this.details = details;
    }

    /** Creates the client. It does not wait for the nodes unless a property requests that. */
    Holdfast create(
            List<ClientObserver> observers, List<HoldfastBuilderCustomizer> customizers, Environment environment) {
        nodes();
        settings();
        String name = properties.clientName() != null ? properties.clientName() : ClientNames.of(environment);
        set("holdfast.client-name", name, builder::clientName);
        observers.forEach(builder::observer);
        customizers.forEach(customizer -> customizer.customize(builder));
        try {
            Holdfast holdfast = properties.checkNodesAtStart()
                    ? CheckedStart.connect(
                            builder,
                            "holdfast.check-nodes-at-start",
                            (what, remedy, cause) -> new HoldfastPropertyException(NODES, what, remedy + ".", cause))
                    : builder.build();
            LOG.info(ClientText.summary(holdfast));
            return holdfast;
        } catch (IllegalArgumentException e) {
            UnfitSetting unfit = UnfitSetting.of(
                    "holdfast.", properties.ttl(), properties.node().timeout(), e);
            throw new HoldfastPropertyException(unfit.name(), unfit.why(), unfit.remedy() + ".", e);
        }
    }

    private void nodes() {
        List<String> uris =
                details.stream().flatMap(some -> some.getNodes().stream()).toList();
        List<Function<NodeContext, LockNode>> openers =
                details.stream().flatMap(some -> some.getNodeOpeners().stream()).toList();
        if (uris.isEmpty() && openers.isEmpty()) {
            throw new HoldfastPropertyException(
                    NODES,
                    details.isEmpty()
                            ? "no nodes are configured, and the application has neither a Redis connection nor a PostgreSQL data source to use instead"
                            : "no nodes are configured, because the list is empty",
                    "Set one Redis or Valkey server, such as redis://localhost:6379, or three or more independent ones;"
                            + " memory: is for tests.",
                    null);
        }
        for (int i = 0; i < uris.size(); i++) {
            set(NODES + "[" + i + "]", uris.get(i), uri -> builder.nodes(uri));
        }
        openers.forEach(builder::node);
        set("holdfast.node", options(uris), builder::nodeOptions);
    }

    private NodeOptions options(List<String> uris) {
        NodeOptions[] options = {NodeOptions.defaults()};
        HoldfastProperties.Node node = properties.node();
        set("holdfast.node.connect-timeout", node.connectTimeout(), it -> options[0] = options[0].connectTimeout(it));
        set("holdfast.node.timeout", node.timeout(), it -> options[0] = options[0].timeout(it));
        String username = agreed("username", HoldfastConnectionDetails::getUsername);
        String password = agreed("password", HoldfastConnectionDetails::getPassword);
        requirePassword("holdfast.node.password", username, password);
        if (password != null) {
            options[0] = options[0].credentials(username, () -> password);
        }
        String sentinelUsername = agreed("sentinel username", HoldfastConnectionDetails::getSentinelUsername);
        String sentinelPassword = agreed("sentinel password", HoldfastConnectionDetails::getSentinelPassword);
        requirePassword("holdfast.node.sentinel.password", sentinelUsername, sentinelPassword);
        if (sentinelPassword != null) {
            options[0] = options[0].sentinelCredentials(sentinelUsername, () -> sentinelPassword);
        }
        SslBundle bundle = agreed("SSL bundle", HoldfastConnectionDetails::getSslBundle);
        if (bundle != null) {
            if (uris.stream().noneMatch(uri -> uri.startsWith("rediss") || uri.startsWith("holdfasts:"))) {
                throw new HoldfastPropertyException(
                        "holdfast.node.ssl-bundle",
                        "no node uses it",
                        "Use URIs that begin with rediss://, rediss-sentinel://, rediss-cluster:// or holdfasts://.",
                        null);
            }
            SslManagerBundle managers = bundle.getManagers();
            options[0] = options[0].tlsManagers(managers.getTrustManagerFactory(), managers.getKeyManagerFactory());
        }
        return options[0];
    }

    private static void requirePassword(String property, @Nullable String username, @Nullable String password) {
        if (username != null && password == null) {
            throw new HoldfastPropertyException(
                    property, "a username is set, but no password", "Set both, or neither.", null);
        }
    }

    /** Returns the value on which all connection details agree; null if none of them has one. */
    private <T> @Nullable T agreed(String what, Function<HoldfastConnectionDetails, @Nullable T> read) {
        T agreed = null;
        for (HoldfastConnectionDetails some : details) {
            T its = read.apply(some);
            if (agreed != null && its != null && !agreed.equals(its)) {
                throw new HoldfastPropertyException(
                        NODES,
                        "the nodes come from " + details.size() + " connection details that differ in their " + what,
                        "Use the same for all, or list the nodes in holdfast.nodes, with the differences in their URIs.",
                        null);
            }
            agreed = agreed == null ? its : agreed;
        }
        return agreed;
    }

    private void settings() {
        set("holdfast.key-prefix", properties.keyPrefix(), builder::keyPrefix);
        set("holdfast.ttl", properties.ttl(), lock(LockOptions::ttl));
        set("holdfast.auto-extend", properties.autoExtend(), lock(LockOptions::autoExtend));
        set("holdfast.max-hold", properties.maxHold(), lock(LockOptions::maxHold));
        set("holdfast.local-hand-over", properties.localHandOver(), lock(LockOptions::localHandOver));
        set("holdfast.linger", properties.linger(), lock(LockOptions::linger));
        set("holdfast.waiter-ttl", properties.waiterTtl(), lock(LockOptions::waiterTtl));
        set("holdfast.fence-retention", properties.fenceRetention(), builder::fenceRetention);
        set("holdfast.no-quorum-timeout", properties.noQuorumTimeout(), builder::noQuorumTimeout);
        set("holdfast.restart-quarantine", properties.restartQuarantine(), builder::restartQuarantine);
    }

    /** Sets an option of locks. */
    private <T> Consumer<T> lock(BiFunction<LockOptions, T, LockOptions> setter) {
        return value -> builder.lockOptions(options -> setter.apply(options, value));
    }

    private static <T> void set(String property, @Nullable T value, Consumer<T> setter) {
        if (value != null) {
            try {
                setter.accept(value);
            } catch (IllegalArgumentException e) {
                throw wrong(property, e);
            }
        }
    }

    private static HoldfastPropertyException wrong(String property, IllegalArgumentException e) {
        return new HoldfastPropertyException(
                property, Objects.requireNonNullElse(e.getMessage(), "it is not valid"), "Correct it.", e);
    }
}
