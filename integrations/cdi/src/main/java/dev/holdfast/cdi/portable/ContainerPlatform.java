package dev.holdfast.cdi.portable;

import dev.holdfast.cdi.runtime.ClientSettings;
import dev.holdfast.cdi.runtime.MethodShape;
import dev.holdfast.cdi.runtime.PendingCall;
import dev.holdfast.cdi.runtime.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A container without build steps: its properties, and threads that may block. */
final class ContainerPlatform implements Platform {

    private final Function<String, Optional<String>> properties = new ApplicationProperties();
    private final PropertySettings settings = new PropertySettings(properties);

    /** Returns whether the application has a readiness check, if it has the API for one. */
    boolean isHealthReported() {
        return settings.isOn("health.enabled").orElse(true);
    }

    @Override
    public ClientSettings settings() {
        return settings;
    }

    @Override
    public String root() {
        return PropertySettings.ROOT;
    }

    @Override
    public String otherNodes() {
        return "Or produce a bean of type Holdfast, which replaces all properties";
    }

    @Override
    public Optional<String> applicationName() {
        return Optional.empty();
    }

    @Override
    public Optional<String> property(String name) {
        return properties.apply(name);
    }

    @Override
    public Duration shortestInterval(MethodShape method, List<String> crons) {
        throw new IllegalStateException("no schedule of this container is read: " + method);
    }

    @Override
    public void requireBlockingThread(MethodShape method) {}

    @Override
    public Object subscribable(PendingCall call) {
        throw new IllegalStateException("no result of this container is subscribed to");
    }
}
