package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

/** Which services of a compose file are nodes. Spring Boot finds the factory as it would with a real one; no container is started. */
class DockerComposeNodesTest {

    private static RunningService service(Map<String, String> labels) {
        ConnectionPorts ports = (ConnectionPorts) Proxy.newProxyInstance(
                DockerComposeNodesTest.class.getClassLoader(),
                new Class<?>[] {ConnectionPorts.class},
                (proxy, method, args) -> method.getName().equals("get") ? 49_153 : null);
        return (RunningService) Proxy.newProxyInstance(
                DockerComposeNodesTest.class.getClassLoader(),
                new Class<?>[] {RunningService.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "name" -> "locks-1";
                    case "image" -> ImageReference.of("redis:7");
                    case "host" -> "127.0.0.1";
                    case "ports" -> ports;
                    case "labels" -> labels;
                    case "env" -> Map.of();
                    default -> null;
                });
    }

    private static Map<Class<?>, ConnectionDetails> details(RunningService service) throws Exception {
        Constructor<DockerComposeConnectionSource> source =
                DockerComposeConnectionSource.class.getDeclaredConstructor(RunningService.class, Environment.class);
        source.setAccessible(true);
        return new ConnectionDetailsFactories(DockerComposeNodesTest.class.getClassLoader())
                .getConnectionDetails(source.newInstance(service, new MockEnvironment()), false);
    }

    @Test
    void aServiceWithTheLabelIsANodeAndNothingElse() throws Exception {
        Map<Class<?>, ConnectionDetails> found =
                details(service(Map.of("org.springframework.boot.service-connection", "holdfast")));

        assertThat(found).containsOnlyKeys(HoldfastConnectionDetails.class);
        assertThat(((HoldfastConnectionDetails) found.get(HoldfastConnectionDetails.class)).getNodes())
                .containsExactly("redis://127.0.0.1:49153");
    }

    @Test
    void aServiceWithoutItIsTheApplicationsOwn() throws Exception {
        assertThat(details(service(Map.of()))).isNotEmpty().doesNotContainKey(HoldfastConnectionDetails.class);
    }
}
