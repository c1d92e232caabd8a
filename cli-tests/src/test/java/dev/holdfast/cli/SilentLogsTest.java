package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.lang.System.Logger.Level;
import org.junit.jupiter.api.Test;

/** The command line prints its own words only: every logger on its class path ends in SLF4J, which is off. */
class SilentLogsTest {

    @Test
    void holdfastLogsNothing() {
        System.Logger logger = System.getLogger("dev.holdfast.internal.quorum");

        assertThat(logger.getClass().getName()).startsWith("org.slf4j.");
        assertThat(logger.isLoggable(Level.ERROR)).isFalse();
    }

    /** Netty goes around SLF4J, to java.util.logging and so to the terminal, where SLF4J does nothing at all. */
    @Test
    void nettyLogsToSlf4jAndNothingComesOut() {
        InternalLogger logger = InternalLoggerFactory.getInstance("io.netty.channel");

        assertThat(logger.getClass().getSimpleName()).contains("Slf4J");
        assertThat(logger.isErrorEnabled()).isFalse();
    }
}
