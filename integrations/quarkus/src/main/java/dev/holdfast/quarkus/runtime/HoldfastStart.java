package dev.holdfast.quarkus.runtime;

import dev.holdfast.Holdfast;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

/** The start of the client, before the application's own observers of the start: wrong settings fail the start, and not the first call. */
@Singleton
public class HoldfastStart {

    void start(
            @Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) StartupEvent event,
            Holdfast holdfast,
            LockedMethods methods) {
        methods.rehearse(holdfast);
    }
}
