package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.integration.HoldfastLockRegistry;
import java.util.function.Function;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

/** The auto-configuration of a lock registry for Spring Integration 7, unless the application has one, or several clients of which none is primary. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass(DistributedLock.class)
@ConditionalOnSingleCandidate(Holdfast.class)
public final class HoldfastIntegrationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    HoldfastLockRegistry holdfastLockRegistry(Holdfast holdfast, HoldfastProperties properties) {
        return withKey(properties, key -> new HoldfastLockRegistry(holdfast, key));
    }

    /**
     * Makes a registry with the configured key.
     *
     * @throws HoldfastPropertyException if the maker rejects the key
     */
    public static <R> R withKey(HoldfastProperties properties, Function<String, R> maker) {
        try {
            return maker.apply(properties.integration().registryKey());
        } catch (IllegalArgumentException e) {
            throw new HoldfastPropertyException(
                    "holdfast.integration.registry-key", String.valueOf(e.getMessage()), "Correct it.", e);
        }
    }
}
