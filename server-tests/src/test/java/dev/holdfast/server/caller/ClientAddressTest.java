package dev.holdfast.server.caller;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "192.0.2.7, 192.0.2.7",
        "::ffff:192.0.2.7, 192.0.2.7",
        "::1, ::1",
        "2001:db8:0:5::1, 2001:db8:0:5::/64",
        "2001:db8:0:5:ffff:ffff:ffff:ffff, 2001:db8:0:5::/64",
        "2001:db8:0:6::1, 2001:db8:0:6::/64",
        "fe80::1%1, fe80:0:0:0::/64"
    })
    void theNameIsTheAddressOrTheNetwork(String address, String name) throws UnknownHostException {
        assertThat(ClientAddress.of(new InetSocketAddress(InetAddress.getByName(address), 7600)))
                .isEqualTo(name);
    }

    @Test
    void aConnectionThatHasEndedHasNoName() {
        assertThat(ClientAddress.of(null)).isEmpty();
    }
}
