package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.NodeRefusedException;
import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.observe.ClientObserver;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.core.env.Environment;

/** Makes the application's client of its properties and its connection details; every mistake is told with the property's name. */
final class ClientFactory {

    private static final String NODES = "holdfast.nodes";

    private final HoldfastProperties properties;
    private final List<HoldfastConnectionDetails> details;
    private final HoldfastBuilder builder = Holdfast.builder();

    ClientFactory(HoldfastProperties properties, List<HoldfastConnectionDetails> details) {
        this.properties = properties;
        this.details = details;
    }

    /** Opened, and not waited for, unless that is asked for. */
    Holdfast create(
            List<ClientObserver> observers, List<HoldfastBuilderCustomizer> customizers, Environment environment) {
        nodes();
        settings();
        String name = properties.clientName() != null ? properties.clientName() : ClientNames.of(environment);
        set("holdfast.client-name", name, builder::clientName);
        observers.forEach(builder::observer);
        customizers.forEach(customizer -> customizer.customize(builder));
        try {
            return properties.checkNodesAtStart() ? checked() : builder.build();
        } catch (IllegalArgumentException e) {
            throw wrong(NODES, e);
        }
    }

    private void nodes() {
        List<String> uris =
                details.stream().flatMap(some -> some.getNodes().stream()).toList();
        if (uris.isEmpty()) {
            throw new HoldfastPropertyException(
                    NODES,
                    "no nodes are given, and the application has no Redis of its own to lock on",
                    "Name one Redis or Valkey server, as in redis://localhost:6379, or three or more independent ones; memory: is for tests.",
                    null);
        }
        for (int i = 0; i < uris.size(); i++) {
            set(NODES + "[" + i + "]", uris.get(i), uri -> builder.nodes(uri));
        }
        set("holdfast.node", options(uris), builder::nodeOptions);
    }

    private NodeOptions options(List<String> uris) {
        NodeOptions[] options = {NodeOptions.defaults()};
        HoldfastProperties.Node node = properties.node();
        set("holdfast.node.connect-timeout", node.connectTimeout(), it -> options[0] = options[0].connectTimeout(it));
        set("holdfast.node.timeout", node.timeout(), it -> options[0] = options[0].timeout(it));
        String username = agreed("username", HoldfastConnectionDetails::getUsername);
        String password = agreed("password", HoldfastConnectionDetails::getPassword);
        if (username != null && password == null) {
            throw new HoldfastPropertyException(
                    "holdfast.node.password", "a user is given, but no password", "Set both, or neither.", null);
        }
        if (password != null) {
            options[0] = options[0].credentials(username, () -> password);
        }
        SslBundle bundle = agreed("SSL bundle", HoldfastConnectionDetails::getSslBundle);
        if (bundle != null) {
            if (uris.stream().noneMatch(uri -> uri.startsWith("rediss:"))) {
                throw new HoldfastPropertyException(
                        "holdfast.node.ssl-bundle",
                        "no node is reached by TLS",
                        "Begin their URIs with rediss://.",
                        null);
            }
            SslManagerBundle managers = bundle.getManagers();
            options[0] = options[0].tlsManagers(managers.getTrustManagerFactory(), managers.getKeyManagerFactory());
        }
        return options[0];
    }

    /** What all connection details say; they may say nothing, but not different things. */
    private <T> @Nullable T agreed(String what, Function<HoldfastConnectionDetails, @Nullable T> read) {
        T agreed = null;
        for (HoldfastConnectionDetails some : details) {
            T its = read.apply(some);
            if (agreed != null && its != null && !agreed.equals(its)) {
                throw new HoldfastPropertyException(
                        NODES,
                        "nodes come from " + details.size() + " connection details, and each has another " + what,
                        "Give all the same, or name the nodes in holdfast.nodes, with what is their own in each URI.",
                        null);
            }
            agreed = agreed == null ? its : agreed;
        }
        return agreed;
    }

    private void settings() {
        set("holdfast.key-prefix", properties.keyPrefix(), builder::keyPrefix);
        set("holdfast.ttl", properties.ttl(), builder::ttl);
        set("holdfast.auto-extend", properties.autoExtend(), builder::autoExtend);
        set("holdfast.max-hold", properties.maxHold(), builder::maxHold);
        set("holdfast.local-hand-over", properties.localHandOver(), builder::localHandOver);
        set("holdfast.linger", properties.linger(), builder::linger);
        set("holdfast.waiter-ttl", properties.waiterTtl(), builder::waiterTtl);
        set("holdfast.fence-retention", properties.fenceRetention(), builder::fenceRetention);
        set("holdfast.no-quorum-timeout", properties.noQuorumTimeout(), builder::noQuorumTimeout);
        set("holdfast.restart-quarantine", properties.restartQuarantine(), builder::restartQuarantine);
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
                property, Objects.requireNonNullElse(e.getMessage(), "it is refused"), "Correct it.", e);
    }

    /** After every node has been tried, and a majority may vote, or will. */
    private Holdfast checked() {
        Holdfast holdfast;
        try {
            holdfast = builder.connect();
        } catch (NodeRefusedException e) {
            throw new HoldfastPropertyException(
                    NODES, String.valueOf(e.getMessage()), "Correct the node, or its user and password.", e);
        }
        try {
            requireMajority(holdfast.nodes());
            return holdfast;
        } catch (InterruptedException e) {
            holdfast.close();
            Thread.currentThread().interrupt();
            throw new HoldfastPropertyException(NODES, "the start was interrupted", "Start again.", e);
        } catch (RuntimeException e) {
            holdfast.close();
            throw e;
        }
    }

    private static void requireMajority(List<NodeStatus> nodes) {
        long there = nodes.stream()
                .filter(node -> node.state() != NodeStatus.State.DOWN)
                .count();
        if (there <= nodes.size() / 2) {
            throw new HoldfastPropertyException(
                    NODES,
                    there + " of " + nodes.size() + " nodes can be reached, but a lock needs a majority: "
                            + nodes.stream().map(ClientFactory::text).collect(Collectors.joining("; ")),
                    "Start them, or leave holdfast.check-nodes-at-start at false.",
                    null);
        }
    }

    private static String text(NodeStatus node) {
        return node.name() + " is " + node.state() + (node.detail().isEmpty() ? "" : ", " + node.detail());
    }
}
