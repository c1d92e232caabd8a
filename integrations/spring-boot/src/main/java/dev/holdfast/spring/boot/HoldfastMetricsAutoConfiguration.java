package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.micrometer.HoldfastMetrics;
import dev.holdfast.micrometer.HoldfastObservations;
import dev.holdfast.spring.LockGroups;
import dev.holdfast.spring.aspect.LockedMethods;
import dev.holdfast.spring.aspect.SkippedCalls;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The auto-configuration of metrics, if the application has a meter registry, and of spans, if it has a tracer. */
@AutoConfiguration(
        after = {HoldfastAutoConfiguration.class, HoldfastMethodAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
            // Spring Boot 3.5
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration"
        })
@ConditionalOnBean(Holdfast.class)
public final class HoldfastMetricsAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MeterRegistry.class, HoldfastMetrics.class})
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnBooleanProperty(name = "holdfast.metrics.enabled", matchIfMissing = true)
    static class Metrics {

        @Bean
        @ConditionalOnMissingBean
        HoldfastMetrics holdfastMetrics(
                MeterRegistry registry, ObjectProvider<LockGroups> groups, LockedMethods methods) {
            LockGroups known = groups.getIfAvailable(() -> methods::nameOf);
            return new HoldfastMetrics(registry, Tags.empty(), known::groupOf);
        }

        /** Counts skipped calls, by annotation and by the name in it. */
        @Bean
        SmartInitializingSingleton holdfastSkippedMetrics(MeterRegistry registry, SkippedCalls skipped) {
            return () -> skipped.countWith((annotation, name) -> Counter.builder("holdfast.spring.skipped")
                    .description("Calls that were skipped because another client holds the lock or leads")
                    .tags("annotation", annotation, "name", name)
                    .register(registry)
                    .increment());
        }

        /** Registers the node metrics after the client has been created, because the client itself needs the metrics. */
        @Bean
        @ConditionalOnSingleCandidate(Holdfast.class)
        SmartInitializingSingleton holdfastNodeMetrics(HoldfastMetrics metrics, Holdfast holdfast) {
            return () -> metrics.watchNodes(holdfast);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ObservationRegistry.class, Tracer.class, HoldfastObservations.class})
    @ConditionalOnBean({ObservationRegistry.class, Tracer.class})
    @ConditionalOnBooleanProperty(name = "holdfast.tracing.enabled", matchIfMissing = true)
    static class Spans {

        @Bean
        @ConditionalOnMissingBean
        HoldfastObservations holdfastObservations(ObservationRegistry registry) {
            return new HoldfastObservations(registry);
        }
    }
}
