package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.integration.HoldfastLockRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/** The auto-configuration of a lock registry for Spring Integration, unless the application has one. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnBean(Holdfast.class)
public final class HoldfastIntegrationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    HoldfastLockRegistry holdfastLockRegistry(Holdfast holdfast, HoldfastProperties properties) {
        try {
            return new HoldfastLockRegistry(holdfast, properties.integration().registryKey());
        } catch (IllegalArgumentException e) {
            throw new HoldfastPropertyException(
                    "holdfast.integration.registry-key", String.valueOf(e.getMessage()), "Correct it.", e);
        }
    }
}
