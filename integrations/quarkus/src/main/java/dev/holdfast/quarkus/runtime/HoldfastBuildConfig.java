package dev.holdfast.quarkus.runtime;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The settings that are fixed when the application is built. */
@ConfigMapping(prefix = "quarkus.holdfast")
@ConfigRoot(phase = ConfigPhase.BUILD_TIME)
public interface HoldfastBuildConfig {

    /** Health. */
    HealthConfig health();

    /** Metrics. */
    MetricsConfig metrics();

    /** Dev Services. */
    DevServicesConfig devservices();

    /** The settings of the health check. */
    interface HealthConfig {

        /** Whether there is a readiness check, if the application has SmallRye Health. */
        @WithDefault("true")
        boolean enabled();
    }

    /** The settings of metrics. */
    interface MetricsConfig {

        /** Whether there are metrics, if the application has Micrometer. */
        @WithDefault("true")
        boolean enabled();
    }

    /** The settings of the nodes that dev and test mode start. */
    interface DevServicesConfig {

        /** Whether dev and test mode start nodes, if none is configured. */
        @WithDefault("true")
        boolean enabled();

        /** Number of nodes to start. */
        @WithDefault("1")
        int nodes();
    }
}
