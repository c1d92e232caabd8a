package dev.holdfast.cdi.runtime;

import dev.holdfast.Holdfast;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

/** The start of the client, before the application's own observers of the start: wrong settings fail the start, and not the first call. */
@Singleton
public class HoldfastStart {

    void start(
            @Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) Startup event,
            Holdfast holdfast,
            LockedMethods methods) {
        try {
            methods.rehearse(holdfast);
        } catch (RuntimeException e) {
            holdfast.close(); // a container may not destroy its beans after a start that fails
            throw e;
        }
    }
}
