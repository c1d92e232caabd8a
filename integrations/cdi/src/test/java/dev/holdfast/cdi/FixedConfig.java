package dev.holdfast.cdi;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigBuilder;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;

/** An implementation of MicroProfile Config with these texts and nothing else. */
final class FixedConfig extends ConfigProviderResolver {

    private final Config config;

    FixedConfig(Map<String, String> properties) {
        config = (Config) Proxy.newProxyInstance(
                Config.class.getClassLoader(), new Class<?>[] {Config.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getOptionalValue")) {
                        return Optional.ofNullable(properties.get((String) arguments[0]));
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    @Override
    public Config getConfig() {
        return config;
    }

    @Override
    public Config getConfig(ClassLoader loader) {
        return config;
    }

    @Override
    public ConfigBuilder getBuilder() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void registerConfig(Config config, ClassLoader loader) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void releaseConfig(Config config) {
        throw new UnsupportedOperationException();
    }
}
