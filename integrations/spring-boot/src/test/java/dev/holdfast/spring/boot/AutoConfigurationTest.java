package dev.holdfast.spring.boot;

import static dev.holdfast.spring.boot.Contexts.analysis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.micrometer.HoldfastMetrics;
import dev.holdfast.spring.actuate.HoldfastEndpoint;
import dev.holdfast.spring.actuate.HoldfastHealthIndicator;
import dev.holdfast.spring.integration.HoldfastLockRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/** The beans that the auto-configuration creates from properties, connection details and users' own beans. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class AutoConfigurationTest {

    private static final String SECRET = "p@ss/w:rd";

    private static ApplicationContextRunner withRedis() {
        return Contexts.bare().withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));
    }

    private static List<String> nodes(org.springframework.context.ApplicationContext context) {
        return context.getBean(Holdfast.class).admin().nodeNames();
    }

    @Test
    void namedNodesAreUsedAndNotWaitedFor() {
        Contexts.bare()
                .withPropertyValues("holdfast.nodes=redis://localhost:1,redis://localhost:2,redis://localhost:3")
                .run(context -> assertThat(nodes(context))
                        .containsExactly("redis://localhost:1", "redis://localhost:2", "redis://localhost:3"));
    }

    @Test
    void e25_theSentinelsOfOneNodeStayTogether() {
        Contexts.bare()
                .withPropertyValues(
                        "holdfast.nodes=redis-sentinel://localhost:1,localhost:2?master=m,redis://localhost:3",
                        "holdfast.await-nodes-at-start=0")
                .run(context -> assertThat(
                                context.getBean(Holdfast.class).admin().nodeNames())
                        .containsExactly("redis-sentinel://localhost:1,localhost:2?master=m", "redis://localhost:3"));
    }

    @Test
    void withoutNodesTheApplicationsOwnRedisIsOne() {
        withRedis()
                .withPropertyValues(
                        "spring.data.redis.host=cache", "spring.data.redis.port=1", "spring.data.redis.database=3")
                .run(context -> assertThat(nodes(context)).containsExactly("redis://cache:1/3"));
    }

    @Test
    void namedNodesGoBeforeTheApplicationsOwnRedis() {
        withRedis()
                .withPropertyValues("holdfast.nodes[0]=memory:own")
                .run(context -> assertThat(nodes(context)).containsExactly("memory:own"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spring.data.redis.sentinel.master=my master;spring.data.redis.sentinel.nodes=a:1,b:2;spring.data.redis.database=2"
                        + "|redis-sentinel://a:1,b:2/2?master=my master",
                "spring.data.redis.sentinel.master=m;spring.data.redis.sentinel.nodes=a:1;spring.data.redis.ssl.enabled=true"
                        + "|rediss-sentinel://a:1?master=m",
                "spring.data.redis.cluster.nodes=a:1,b:2|redis-cluster://a:1,b:2",
                "spring.data.redis.cluster.nodes=a:1;spring.data.redis.ssl.enabled=true|rediss-cluster://a:1",
                "spring.data.redis.url=redis://user:secret@h:7/1|redis://h:7/1",
                "spring.data.redis.ssl.enabled=true;spring.data.redis.host=h;spring.data.redis.port=7|rediss://h:7",
                "spring.data.redis.host=::1;spring.data.redis.port=7|redis://[::1]:7",
            })
    void everyKindOfItIsSpelledAsANode(String properties, String node) {
        withRedis()
                .withPropertyValues(properties.split(";"))
                .run(context -> assertThat(nodes(context)).containsExactly(node));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spring.data.redis.masterreplica.nodes=a:1,b:2|spring.data.redis.masterreplica",
            })
    void whatCantBeANodeIsRefusedWithTheReason(String properties, String named) {
        withRedis()
                .withPropertyValues(properties.split(";"))
                .run(context -> assertThat(analysis(context.getStartupFailure()).getDescription())
                        .contains("'" + named + "'"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "holdfast.nodes=|holdfast.nodes|no nodes are configured, because the list is empty",
                "holdfast.client-name=a|holdfast.nodes|the application has neither a Redis connection",
                "holdfast.nodes=memory:,htp://a|holdfast.nodes[1]|must begin with one of",
                "holdfast.nodes=redis://a:99999|holdfast.nodes|the port is '99999'",
                "holdfast.nodes=redis://a,redis://a|holdfast.nodes|given twice",
                "holdfast.nodes=memory:;holdfast.ttl=1ms|holdfast.ttl|ttl is 1 ms, but must be from 50 ms",
                "holdfast.nodes=memory:;holdfast.client-name=a b|holdfast.client-name|letters",
                "holdfast.nodes=memory:;holdfast.linger=2m|holdfast.linger|from 0 ms to 60 s",
                "holdfast.nodes=memory:;holdfast.node.timeout=2m|holdfast.node.timeout|from 1 ms",
                "holdfast.nodes=memory:;holdfast.node.timeout=50s|holdfast.node.timeout"
                        + "|timeout is 50 s, but must be at most half of holdfast.ttl, which is 30 s",
                "holdfast.nodes=memory:;holdfast.ttl=2h;holdfast.fence-retention=1h|holdfast.ttl|at most the fenceRetention",
                "holdfast.nodes=memory:;holdfast.locked.wait-for=-1|holdfast.locked.wait-for|it is -1 s, but must be 0 or more",
                "holdfast.nodes=memory:;holdfast.await-nodes-at-start=-5|holdfast.await-nodes-at-start"
                        + "|it is -5 s, but must be 0 or more, since it is the longest time of a wait",
                "holdfast.nodes=memory:;holdfast.node.username=u|holdfast.node.password|a username is set",
                "holdfast.nodes=memory:;holdfast.node.sentinel.username=u|holdfast.node.sentinel.password|a username is set",
                "holdfast.nodes=rediss://a;holdfast.node.ssl-bundle=b|holdfast.node.ssl-bundle|no SSL bundle 'b'",
                "holdfast.nodes=memory:;holdfast.integration.registry-key= |holdfast.integration.registry-key|blank",
            })
    void aWrongPropertyIsNamed(String properties, String named, String why) {
        Contexts.bare()
                .withConfiguration(
                        AutoConfigurations.of(org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration.class))
                .withPropertyValues(properties.split(";"))
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(analysis(context.getStartupFailure()).getDescription())
                            .contains("'" + named + "'")
                            .contains(why);
                });
    }

    @ParameterizedTest
    @CsvSource({"holdfast.ttl,soon", "holdfast.locked.order,first"})
    void whatIsNoValueIsNamedByBoot(String property, String value) {
        Contexts.inMemory().withPropertyValues(property + "=" + value).run(context -> {
            assertThat(context).hasFailed();
            assertThat(causes(context.getStartupFailure()))
                    .anyMatch(cause -> String.valueOf(cause.getMessage()).contains(property));
        });
    }

    private static List<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).toList();
    }

    @Test
    void aMajorityIsNeededAtStartOnlyIfThatIsAskedFor() {
        Contexts.bare()
                .withPropertyValues("holdfast.nodes=redis://localhost:1", "holdfast.check-nodes-at-start=true")
                .run(context -> assertThat(analysis(context.getStartupFailure()).getDescription())
                        .contains("0 of 1 nodes can be reached"));
        Contexts.inMemory()
                .withPropertyValues("holdfast.check-nodes-at-start=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void noSecretIsPrinted(CapturedOutput output) {
        String[] wrong = {
            "holdfast.nodes=redis://user:" + SECRET + "@a:1,redis://user:" + SECRET + "@a:99999",
            "holdfast.nodes=redis://a:99999;holdfast.node.password=" + SECRET,
            "holdfast.nodes=redis://" + SECRET + "@localhost:1",
        };
        for (String properties : wrong) {
            Contexts.bare().withPropertyValues(properties.split(";")).run(context -> {
                Throwable failure = context.getStartupFailure();
                for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                    assertThat(cause).hasMessageNotContaining("w:rd");
                }
            });
        }
        Contexts.bare()
                .withPropertyValues("holdfast.nodes=redis://localhost:1", "holdfast.node.password=" + SECRET)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(HoldfastProperties.class))
                            .asString()
                            .doesNotContain("w:rd");
                });
        assertThat(output).doesNotContain("w:rd");
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBeans {

        @Bean
        Holdfast mine() {
            return Holdfast.connect("memory:mine");
        }

        @Bean
        LockRegistry<?> registry() {
            return new DefaultLockRegistry();
        }
    }

    @Test
    void everythingMakesWayForAUsersBean() {
        withRedis().withUserConfiguration(OwnBeans.class).run(context -> {
            assertThat(context).hasSingleBean(Holdfast.class);
            assertThat(nodes(context)).containsExactly("memory:mine");
            assertThat(context).doesNotHaveBean(HoldfastConnectionDetails.class);
            assertThat(context).doesNotHaveBean(HoldfastLockRegistry.class);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class FiveServices {

        @Bean
        HoldfastConnectionDetails one() {
            return () -> List.of("memory:1");
        }

        @Bean
        HoldfastConnectionDetails two() {
            return () -> List.of("memory:2", "memory:3");
        }
    }

    @Test
    void connectionDetailsOfOurOwnAreTakenTogetherAndLeaveTheApplicationsRedisAlone() {
        withRedis()
                .withUserConfiguration(FiveServices.class)
                .withPropertyValues("holdfast.nodes=memory:named")
                .run(context -> assertThat(nodes(context)).containsExactly("memory:1", "memory:2", "memory:3"));
    }

    @Test
    void theBuilderCanBeChanged() {
        Contexts.inMemory()
                .withBean(HoldfastBuilderCustomizer.class, () -> builder -> builder.clientName("customized"))
                .run(context ->
                        assertThat(context.getBean(Holdfast.class).client()).startsWith("customized~"));
    }

    @Test
    void theApplicationsNameIsTheHolders() {
        Contexts.inMemory()
                .withPropertyValues("spring.application.name=my shop", "HOSTNAME=pod-7")
                .run(context -> assertThat(context.getBean(Holdfast.class).client())
                        .startsWith("my_shop@pod-7:" + ProcessHandle.current().pid() + "~"));
    }

    @Test
    void nothingButSpringItselfIsNeeded() {
        Contexts.inMemory()
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.data",
                        "org.springframework.data",
                        "org.springframework.integration",
                        "org.springframework.transaction",
                        "org.springframework.boot.docker",
                        "io.lettuce",
                        "reactor"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Holdfast.class));
    }

    @Test
    void anApplicationMayHaveSeveralClients() {
        Contexts.bare()
                .withConfiguration(AutoConfigurations.of(
                        HoldfastMetricsAutoConfiguration.class, HoldfastActuatorAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=holdfast")
                .withBean(SimpleMeterRegistry.class)
                .withBean("one", Holdfast.class, () -> Holdfast.connect("memory:"))
                .withBean("other", Holdfast.class, () -> Holdfast.connect("memory:"))
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(HoldfastMetrics.class)
                            .doesNotHaveBean(HoldfastHealthIndicator.class)
                            .doesNotHaveBean(HoldfastEndpoint.class)
                            .doesNotHaveBean(HoldfastLockRegistry.class);
                });
    }
}
