package dev.holdfast.cdi.portable;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ApplicationPropertiesTest {

    @Test
    void anEnvironmentVariableIsUsedIfNoSystemPropertyIsSet() {
        assertThat(ApplicationProperties.variable("holdfast.node.tls.client-key"))
                .isEqualTo("HOLDFAST_NODE_TLS_CLIENT_KEY");
        assertThat(new ApplicationProperties().apply("path")).contains(System.getenv("PATH"));
        System.setProperty("path", "set");
        try {
            assertThat(new ApplicationProperties().apply("path")).contains("set");
        } finally {
            System.clearProperty("path");
        }
        assertThat(new ApplicationProperties().apply("holdfast.no-such-property"))
                .isEmpty();
    }
}
