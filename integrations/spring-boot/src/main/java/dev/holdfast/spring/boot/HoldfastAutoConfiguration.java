package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.observe.ClientObserver;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The auto-configuration of the application's client. Its nodes are those in {@code holdfast.nodes}, or else the application's own Redis. All {@link
 * ClientObserver} beans observe it. It opens without waiting for a node; the end of the start waits ({@link NodesAtStart}). It closes after all beans that use it.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@EnableConfigurationProperties(HoldfastProperties.class)
public final class HoldfastAutoConfiguration {

    HoldfastAutoConfiguration() {
        BootVersion.require(); // covers contexts that no SpringApplication has created
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Holdfast holdfast(
            HoldfastProperties properties,
            ObjectProvider<HoldfastConnectionDetails> details,
            ObjectProvider<HoldfastBuilderCustomizer> customizers,
            ObjectProvider<ClientObserver> observers,
            Environment environment) {
        return new ClientFactory(properties, details.orderedStream().toList())
                .create(
                        observers.orderedStream().toList(),
                        customizers.orderedStream().toList(),
                        environment);
    }

    @Bean
    @ConditionalOnSingleCandidate(Holdfast.class)
    NodesAtStart holdfastNodesAtStart(Holdfast holdfast, HoldfastProperties properties) {
        return NodesAtStart.of(holdfast, properties);
    }

    /** The configuration for nodes listed in the properties. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean({Holdfast.class, HoldfastConnectionDetails.class})
    @Conditional(NodesListed.class)
    static class ListedNodes {

        @Bean
        HoldfastConnectionDetails holdfastConnectionDetails(
                HoldfastProperties properties, ObjectProvider<SslBundles> bundles) {
            return new PropertiesConnectionDetails(properties, bundles.getIfAvailable());
        }
    }

    /** The configuration for the application's own Redis, if no nodes are listed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataRedisConnectionDetails.class)
    @ConditionalOnMissingBean({Holdfast.class, HoldfastConnectionDetails.class})
    @ConditionalOnSingleCandidate(DataRedisConnectionDetails.class)
    @Conditional(NodesNotListed.class)
    static class ApplicationsRedis {

        @Bean
        HoldfastConnectionDetails holdfastConnectionDetails(DataRedisConnectionDetails redis) {
            return BootRedis.details(redis);
        }
    }

    static final class NodesListed extends OnPropertyListCondition {

        NodesListed() {
            super("holdfast.nodes", () -> ConditionMessage.forCondition("Holdfast nodes"));
        }
    }

    /** The condition that {@code holdfast.nodes} is not set. */
    public static final class NodesNotListed extends NoneNestedConditions {

        NodesNotListed() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @Conditional(NodesListed.class)
        static class Listed {}
    }
}
