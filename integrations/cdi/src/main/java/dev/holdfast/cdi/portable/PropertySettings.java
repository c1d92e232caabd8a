package dev.holdfast.cdi.portable;

import dev.holdfast.cdi.HoldfastPropertyException;
import dev.holdfast.cdi.runtime.ClientSettings;
import dev.holdfast.cdi.runtime.DurationValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The settings of the client in the application's properties. Every error names the property at fault. */
final class PropertySettings implements ClientSettings {

    static final String ROOT = "holdfast.";

    private final Function<String, Optional<String>> properties;

    PropertySettings(Function<String, Optional<String>> properties) {
        this.properties = properties;
    }

    private Optional<String> text(String name) {
        return properties.apply(ROOT + name);
    }

    private Optional<Duration> duration(String name) {
        return text(name).map(value -> {
            try {
                Duration duration = DurationValue.of(value);
                if (duration.isNegative()) {
                    throw new HoldfastPropertyException(
                            ROOT + name, "'" + value + "' is negative; it must be 0 or more", "Correct it", null);
                }
                return duration;
            } catch (IllegalArgumentException e) {
                throw new HoldfastPropertyException(
                        ROOT + name,
                        "'" + value + "' is not a duration",
                        "Use a duration such as 500ms, 5s, 2m or 1h",
                        e);
            }
        });
    }

    /** Returns whether a setting is on; false only for {@code false}, so that a misspelt value is not taken for either. */
    Optional<Boolean> isOn(String name) {
        return text(name).map(value -> switch (value.strip()) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new HoldfastPropertyException(
                        ROOT + name, "'" + value + "' is neither true nor false", "Use one of them", null);
        });
    }

    @Override
    public Optional<List<String>> nodes() {
        return text("nodes")
                .map(list -> Stream.of(list.split(","))
                        .map(String::strip)
                        .filter(uri -> !uri.isEmpty())
                        .toList());
    }

    @Override
    public Optional<String> keyPrefix() {
        return text("key-prefix");
    }

    @Override
    public Optional<String> clientName() {
        return text("client-name");
    }

    @Override
    public Optional<Duration> ttl() {
        return duration("ttl");
    }

    @Override
    public Optional<Boolean> autoExtend() {
        return isOn("auto-extend");
    }

    @Override
    public Optional<Duration> maxHold() {
        return duration("max-hold");
    }

    @Override
    public Optional<Boolean> localHandOver() {
        return isOn("local-hand-over");
    }

    @Override
    public Optional<Duration> linger() {
        return duration("linger");
    }

    @Override
    public Optional<Duration> waiterTtl() {
        return duration("waiter-ttl");
    }

    @Override
    public Optional<Duration> fenceRetention() {
        return duration("fence-retention");
    }

    @Override
    public Optional<Duration> noQuorumTimeout() {
        return duration("no-quorum-timeout");
    }

    @Override
    public Optional<Duration> restartQuarantine() {
        return duration("restart-quarantine");
    }

    @Override
    public Optional<Boolean> checkNodesAtStart() {
        return isOn("check-nodes-at-start");
    }

    @Override
    public NodeSettings node() {
        return new OfNodes();
    }

    @Override
    public MethodSettings locked() {
        return () -> duration("locked.wait-for");
    }

    private final class OfNodes implements NodeSettings, SentinelSettings {

        private final String prefix;

        OfNodes() {
            this("node.");
        }

        private OfNodes(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public Optional<String> username() {
            return text(prefix + "username");
        }

        @Override
        public Optional<String> password() {
            return text(prefix + "password");
        }

        @Override
        public Optional<Duration> connectTimeout() {
            return duration(prefix + "connect-timeout");
        }

        @Override
        public Optional<Duration> timeout() {
            return duration(prefix + "timeout");
        }

        @Override
        public SentinelSettings sentinel() {
            return new OfNodes(prefix + "sentinel.");
        }

        @Override
        public TlsSettings tls() {
            return new OfTls();
        }
    }

    private final class OfTls implements TlsSettings {

        @Override
        public Optional<String> trustedCertificates() {
            return text("node.tls.trusted-certificates");
        }

        @Override
        public Optional<String> clientCertificate() {
            return text("node.tls.client-certificate");
        }

        @Override
        public Optional<String> clientKey() {
            return text("node.tls.client-key");
        }

        @Override
        public Optional<Boolean> verifyHostname() {
            return isOn("node.tls.verify-hostname");
        }
    }
}
