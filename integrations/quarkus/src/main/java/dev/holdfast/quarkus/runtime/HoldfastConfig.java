package dev.holdfast.quarkus.runtime;

import dev.holdfast.cdi.runtime.ClientSettings;
import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;

/** The settings of the application's client. A duration without a unit is in seconds. In dev and test mode, Dev Services start nodes if none is set. */
@ConfigMapping(prefix = "quarkus.holdfast")
@ConfigRoot(phase = ConfigPhase.RUN_TIME)
public interface HoldfastConfig extends ClientSettings {}
