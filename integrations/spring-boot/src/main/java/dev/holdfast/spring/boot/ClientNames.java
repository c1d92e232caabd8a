package dev.holdfast.spring.boot;

import dev.holdfast.locked.ClientText;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** The default client name of an application, which operators see as the holder of its locks. */
final class ClientNames {

    private ClientNames() {}

    /** Returns {@code application@host:pid}; null if the application has no name, for the client's own default. */
    static @Nullable String of(Environment environment) {
        String application = environment.getProperty("spring.application.name");
        return application == null || application.isBlank()
                ? null
                : ClientText.name(application, environment.getProperty("HOSTNAME"));
    }
}
