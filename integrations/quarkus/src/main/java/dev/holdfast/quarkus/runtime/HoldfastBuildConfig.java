package dev.holdfast.quarkus.runtime;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The settings that are fixed when the application is built. */
@ConfigMapping(prefix = "quarkus.holdfast")
@ConfigRoot(phase = ConfigPhase.BUILD_TIME)
public interface HoldfastBuildConfig {

    /** Returns the settings of the health check. */
    HealthConfig health();

    /** Returns the settings of metrics. */
    MetricsConfig metrics();

    /** Returns the settings of Dev Services. */
    DevServicesConfig devservices();

    /** The settings of the health check. */
    interface HealthConfig {

        /** Returns whether there is a readiness check, if the application has SmallRye Health. */
        @WithDefault("true")
        boolean enabled();
    }

    /** The settings of metrics. */
    interface MetricsConfig {

        /** Returns whether there are metrics, if the application has Micrometer. */
        @WithDefault("true")
        boolean enabled();
    }

    /** The settings of the nodes that dev and test mode start. */
    interface DevServicesConfig {

        /** Returns whether dev and test mode start nodes, if none is configured. */
        @WithDefault("true")
        boolean enabled();

        /** Returns the number of nodes to start, from 1 to 15. */
        @WithDefault("1")
        int nodes();
    }
}
