package dev.holdfast.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application whose settings are out of their range does not start, even if it has no locked method. */
@Tag("slow")
class RefusedStartTest {

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withEmptyApplication()
            .overrideConfigKey("quarkus.http.test-port", "0")
            .overrideConfigKey("quarkus.holdfast.nodes", "memory:refused-start")
            .overrideConfigKey("quarkus.holdfast.ttl", "1ms")
            .assertException(failure -> assertThat(failure)
                    .hasRootCauseMessage("ttl is 1 ms, but must be from 50 ms to 24 h")
                    .hasStackTraceContaining(ConfigurationException.class.getName()
                            + ": quarkus.holdfast.ttl: ttl is 1 ms, but must be from 50 ms to 24 h. Correct it."));

    @Test
    void isNotStarted() {
        Assertions.fail();
    }
}
