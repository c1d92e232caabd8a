package dev.holdfast.quarkus.deployment;

import dev.holdfast.quarkus.runtime.HoldfastBuildConfig;
import io.quarkus.deployment.IsDevServicesSupportedByLaunchMode;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.DevServicesResultBuildItem;
import io.quarkus.deployment.dev.devservices.DevServicesConfig;
import io.quarkus.runtime.configuration.ConfigUtils;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The build step that starts nodes for an application in dev or test mode that names none. Quarkus keeps the nodes across restarts of the application in
 * one session.
 */
final class DevServicesProcessor {

    private static final String NODES = "quarkus.holdfast.nodes";

    @BuildStep(onlyIf = IsDevServicesSupportedByLaunchMode.class)
    @Nullable
    DevServicesResultBuildItem nodes(HoldfastBuildConfig config, DevServicesConfig allServices) {
        boolean isWanted = allServices.enabled()
                && config.devservices().enabled()
                && !ConfigUtils.isAnyPropertyPresent(List.of(NODES, NODES + "[0]"));
        if (!isWanted) {
            return null;
        }
        int count = LocalNodes.checked(config.devservices().nodes());
        return DevServicesResultBuildItem.<LocalNodes>owned()
                .feature("holdfast")
                .serviceConfig(count)
                .startable(() -> new LocalNodes(count))
                .configProvider(Map.of(NODES, LocalNodes::getConnectionInfo))
                .build();
    }
}
