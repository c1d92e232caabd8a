package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.actuate.HoldfastEndpoint;
import dev.holdfast.spring.actuate.HoldfastHealthIndicator;
import dev.holdfast.spring.actuate.LockBook;
import dev.holdfast.time.Ticker;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The auto-configuration of the health indicator and of the endpoint that shows the application's locks, if the application has an actuator. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(Holdfast.class)
public final class HoldfastActuatorAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockBook holdfastLockBook() {
        return new LockBook(Ticker.system());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    @ConditionalOnEnabledHealthIndicator("holdfast")
    @ConditionalOnSingleCandidate(Holdfast.class)
    static class OfHealth {

        @Bean
        @ConditionalOnMissingBean(name = "holdfastHealthIndicator")
        HoldfastHealthIndicator holdfastHealthIndicator(Holdfast holdfast, LockBook book) {
            return new HoldfastHealthIndicator(holdfast, book);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(HoldfastEndpoint.class)
    @ConditionalOnSingleCandidate(Holdfast.class)
    static class OfEndpoint {

        @Bean
        @ConditionalOnMissingBean
        HoldfastEndpoint holdfastEndpoint(Holdfast holdfast, LockBook book) {
            return new HoldfastEndpoint(holdfast, book);
        }
    }
}
