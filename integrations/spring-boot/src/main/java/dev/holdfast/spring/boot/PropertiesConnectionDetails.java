package dev.holdfast.spring.boot;

import dev.holdfast.locked.NodeUris;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** The nodes listed in {@code holdfast.nodes}. */
final class PropertiesConnectionDetails implements HoldfastConnectionDetails {

    private final HoldfastProperties properties;
    private final @Nullable SslBundles bundles;

    PropertiesConnectionDetails(HoldfastProperties properties, @Nullable SslBundles bundles) {
        this.properties = properties;
        this.bundles = bundles;
    }

    @Override
    public List<String> getNodes() {
        return NodeUris.whole(properties.nodes());
    }

    @Override
    public @Nullable String getUsername() {
        return properties.node().username();
    }

    @Override
    public @Nullable String getPassword() {
        return properties.node().password();
    }

    @Override
    public @Nullable String getSentinelUsername() {
        return properties.node().sentinel().username();
    }

    @Override
    public @Nullable String getSentinelPassword() {
        return properties.node().sentinel().password();
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
        String name = properties.node().sslBundle();
        if (name == null) {
            return null;
        }
        try {
            return bundles == null ? null : bundles.getBundle(name);
        } catch (NoSuchSslBundleException e) {
            throw new HoldfastPropertyException(
                    "holdfast.node.ssl-bundle",
                    "there is no SSL bundle '" + name + "'",
                    "Define it under spring.ssl.bundle.",
                    e);
        }
    }
}
