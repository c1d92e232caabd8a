package dev.holdfast.quarkus.runtime;

import dev.holdfast.Holdfast;
import dev.holdfast.cdi.runtime.LockedMethods;
import dev.holdfast.cdi.runtime.SkippedCalls;
import dev.holdfast.micrometer.HoldfastMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.quarkus.arc.DefaultBean;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The metrics of the client, if the application has Micrometer. The group of a lock is the name in its annotation. */
@Singleton
public class ClientMetrics {

    @Produces
    @Singleton
    @DefaultBean
    HoldfastMetrics metrics(MeterRegistry registry, LockedMethods methods) {
        return new HoldfastMetrics(registry, Tags.empty(), methods::nameOf);
    }

    /** Registers what needs the client, which itself needs the metrics, and counts skipped calls. */
    void start(
            @Observes StartupEvent event,
            Holdfast holdfast,
            HoldfastMetrics metrics,
            MeterRegistry registry,
            SkippedCalls skipped) {
        metrics.watchNodes(holdfast);
        skipped.countWith(name -> Counter.builder("holdfast.quarkus.skipped")
                .description("Calls that were skipped because another client holds the lock")
                .tags("name", name)
                .register(registry)
                .increment());
    }
}
