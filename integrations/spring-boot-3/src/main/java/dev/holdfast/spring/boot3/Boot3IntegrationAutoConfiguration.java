package dev.holdfast.spring.boot3;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.boot.HoldfastAutoConfiguration;
import dev.holdfast.spring.boot.HoldfastIntegrationAutoConfiguration;
import dev.holdfast.spring.boot.HoldfastProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/** The auto-configuration of a lock registry for Spring Integration 6, unless the application has one. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnMissingClass("org.springframework.integration.support.locks.DistributedLock")
@ConditionalOnSingleCandidate(Holdfast.class)
public final class Boot3IntegrationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    Boot3LockRegistry holdfastLockRegistry(Holdfast holdfast, HoldfastProperties properties) {
        return HoldfastIntegrationAutoConfiguration.withKey(properties, key -> new Boot3LockRegistry(holdfast, key));
    }
}
