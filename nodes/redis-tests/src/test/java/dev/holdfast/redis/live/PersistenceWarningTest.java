package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.Persistence;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that uses state that a restart loses gets a warning; a client that only locks does not. */
class PersistenceWarningTest {

    private final Logger logger = Logger.getLogger("dev.holdfast.internal.node.NodeSeat");
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
                warnings.add(logged.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void listenNoMore() {
        logger.removeHandler(handler);
    }

    @Test
    void b7_ofANodeWithoutAnAppendOnlyFileOnceForEachUse() throws Exception {
        try (RedisProcess server = RedisProcess.start();
                Holdfast client = Holdfast.connect(server.uri().toString())) {
            try (Lease lease = client.lock("a").acquire()) {
                assertThat(warnings).as("of locks").isEmpty();
                lease.writeValue("x");
                lease.writeValue("y");
            }
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .contains(server.uri().toString(), "loses values");
            client.once("b", Duration.ofSeconds(1));
            client.once("c", Duration.ofSeconds(1));
            assertThat(warnings)
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains(server.uri().toString(), "loses seals");
            assertThat(client.admin().nodes())
                    .extracting(status -> status.server().persistence())
                    .containsExactly(Persistence.NONE);
        }
    }

    @Test
    void b7_notOfOneWithAnAppendOnlyFile() throws Exception {
        try (RedisProcess server = RedisProcess.start(RedisOptions.defaults().appendOnly(true));
                Holdfast client = Holdfast.connect(server.uri().toString())) {
            client.once("b", Duration.ofSeconds(1));
            try (Lease lease = client.lock("a").acquire()) {
                lease.writeValue("x");
            }

            assertThat(warnings).isEmpty();
            assertThat(client.admin().nodes())
                    .extracting(status -> status.server().persistence())
                    .containsExactly(Persistence.ALL);
        }
    }
}
