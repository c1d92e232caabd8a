package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.cluster.ClusterConfig.Options;
import dev.holdfast.cluster.ClusterConfig.Start;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of a server that cannot be used are refused with the reason. */
class ClusterConfigTest {

    private static ClusterConfig withAddress(String address) {
        return new ClusterConfig(
                "trial",
                "a",
                Map.of("a", "127.0.0.1:7520", "b", address),
                Path.of("folder"),
                Start.CREATE,
                Options.defaults());
    }

    /** Otherwise the server fails later, when it first connects to the peer. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "65536", "99999"})
    void aPortOutOfRangeIsRefused(String port) {
        assertThatThrownBy(() -> withAddress("127.0.0.1:" + port))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the port of peer b is " + port + " in '127.0.0.1:" + port
                        + "'; it must be between 1 and 65535, the range of TCP ports");
    }

    @Test
    void everyPortOfTheRangeIsAccepted() {
        assertThat(withAddress("127.0.0.1:65535").peers()).containsEntry("b", "127.0.0.1:65535");
        assertThat(withAddress("127.0.0.1:1").peers()).containsEntry("b", "127.0.0.1:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.1 :7421", "[::1]x:7421"})
    void anAddressWithoutAPortOrWithOtherCharactersIsRefused(String address) {
        assertThatThrownBy(() -> withAddress(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it must be a host name or an IPv4 address, and a port, such as 10.0.0.1:7520");
    }
}
