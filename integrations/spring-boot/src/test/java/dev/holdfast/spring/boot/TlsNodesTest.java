package dev.holdfast.spring.boot;

import static dev.holdfast.spring.boot.Contexts.analysis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.TestAuthority;
import dev.holdfast.redis.process.TlsFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Nodes with TLS and a password from the properties of an application, on a real server that requires a client certificate. */
@Tag("slow")
class TlsNodesTest {

    private static final String PASSWORD = "p@ss/w:rd";

    @TempDir
    Path folder;

    @Test
    void anSslBundleAndAPasswordOpenANode() {
        TestAuthority authority = TestAuthority.in(folder.resolve("trusted"));
        TlsFiles files = authority.certify("server", "DNS:localhost", -1, 2).mutual();
        try (RedisProcess server =
                RedisProcess.start(RedisOptions.defaults().tls(files).password(PASSWORD))) {
            int port = server.tlsUri().getPort();
            ApplicationContextRunner application = Contexts.bare()
                    .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
                    .withPropertyValues(
                            "holdfast.check-nodes-at-start=true",
                            "holdfast.node.connect-timeout=30s",
                            "spring.ssl.bundle.pem.locks.truststore.certificate=" + files.authority(),
                            "spring.ssl.bundle.pem.locks.keystore.certificate=" + files.certificate(),
                            "spring.ssl.bundle.pem.locks.keystore.private-key=" + files.key());
            String node = "holdfast.nodes=rediss://localhost:" + port;

            application
                    .withPropertyValues(node, "holdfast.node.ssl-bundle=locks", "holdfast.node.password=" + PASSWORD)
                    .run(TlsNodesTest::locks);
            application
                    .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                    .withPropertyValues(
                            "spring.data.redis.host=localhost",
                            "spring.data.redis.port=" + port,
                            "spring.data.redis.password=" + PASSWORD,
                            "spring.data.redis.ssl.bundle=locks")
                    .run(TlsNodesTest::locks);
            application
                    .withPropertyValues(node, "holdfast.node.password=" + PASSWORD)
                    .run(context -> assertThat(
                                    analysis(context.getStartupFailure()).getDescription())
                            .contains("TLS failed")
                            .doesNotContain(PASSWORD));
            application
                    .withPropertyValues(node, "holdfast.node.ssl-bundle=locks", "holdfast.node.password=wr0ng")
                    .run(context -> assertThat(
                                    analysis(context.getStartupFailure()).getDescription())
                            .contains("'holdfast.nodes'")
                            .doesNotContain("wr0ng"));
        }
    }

    @Test
    void anSslBundleIsForLockServersToo() {
        TlsFiles files = TestAuthority.in(folder.resolve("trusted")).certify("server", "DNS:localhost", -1, 2);
        ApplicationContextRunner application = Contexts.bare()
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
                .withPropertyValues(
                        "holdfast.node.ssl-bundle=locks",
                        "holdfast.await-nodes-at-start=0",
                        "spring.ssl.bundle.pem.locks.truststore.certificate=" + files.authority());
        application
                .withPropertyValues("holdfast.nodes=holdfasts://localhost:1")
                .run(context -> assertThat(
                                context.getBean(Holdfast.class).admin().nodeNames())
                        .containsExactly("holdfasts://localhost:1"));
        application
                .withPropertyValues("holdfast.nodes=holdfast://localhost:1")
                .run(context -> assertThat(analysis(context.getStartupFailure()).getDescription())
                        .contains("'holdfast.node.ssl-bundle': no node uses it"));
    }

    private static void locks(org.springframework.context.ApplicationContext context) throws InterruptedException {
        try (var lease = context.getBean(Holdfast.class).lock("x").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }
}
