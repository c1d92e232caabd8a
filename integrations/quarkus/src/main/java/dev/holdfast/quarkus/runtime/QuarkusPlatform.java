package dev.holdfast.quarkus.runtime;

import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.cdi.runtime.ClientSettings;
import dev.holdfast.cdi.runtime.MethodShape;
import dev.holdfast.cdi.runtime.PendingCall;
import dev.holdfast.cdi.runtime.Platform;
import io.quarkus.runtime.BlockingOperationControl;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;

/** Quarkus: its configuration, its scheduler, its event loops, and {@code Uni}. */
@Singleton
public class QuarkusPlatform implements Platform {

    private final HoldfastConfig config;

    @Inject
    public QuarkusPlatform(HoldfastConfig config) {
        this.config = config;
    }

    @Override
    public ClientSettings settings() {
        return config;
    }

    @Override
    public String root() {
        return "quarkus.holdfast.";
    }

    @Override
    public String otherNodes() {
        return "In dev and test mode, Dev Services start nodes unless they are disabled";
    }

    @Override
    public Optional<String> applicationName() {
        return property("quarkus.application.name");
    }

    @Override
    public Optional<String> property(String name) {
        return ConfigProvider.getConfig().getOptionalValue(name, String.class);
    }

    @Override
    public Duration shortestInterval(MethodShape method, List<String> crons) {
        return CronIntervals.shortest(method, crons);
    }

    @Override
    public void requireBlockingThread(MethodShape method) {
        if (!BlockingOperationControl.isBlockingAllowed()) {
            throw new LockedMethodException(
                    method.text(),
                    "was called on an event loop, which it would block while it waits for its lock",
                    "Call it from a worker thread, as with @Blocking, or let it return a Uni",
                    null);
        }
    }

    @Override
    public Object subscribable(PendingCall call) {
        return Uni.createFrom().emitter(emitter -> new UniCall(call, emitter).start());
    }
}
