package dev.holdfast.spring.boot;

import java.util.List;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/**
 * The services of a compose file that are lock nodes: each service with the label {@code org.springframework.boot.service-connection: holdfast} is
 * one node. A Redis service without the label remains the application's own Redis.
 */
final class DockerComposeNodes extends DockerComposeConnectionDetailsFactory<HoldfastConnectionDetails> {

    static final String CONNECTION_NAME = "holdfast";
    private static final int REDIS_PORT = 6379;

    DockerComposeNodes() {
        super(CONNECTION_NAME);
    }

    @Override
    protected HoldfastConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new OneNode(source.getRunningService());
    }

    private static final class OneNode extends DockerComposeConnectionDetails implements HoldfastConnectionDetails {

        private final String uri;

        OneNode(RunningService service) {
            super(service);
            this.uri = "redis://" + service.host() + ":" + service.ports().get(REDIS_PORT);
        }

        @Override
        public List<String> getNodes() {
            return List.of(uri);
        }
    }
}
