package dev.holdfast.spring.boot;

import dev.holdfast.spring.web.LockProblems;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** The auto-configuration of HTTP responses for lock exceptions, if the application asks for it. */
@AutoConfiguration
@ConditionalOnClass(RestControllerAdvice.class)
@ConditionalOnBooleanProperty("holdfast.web.problem-details")
public final class HoldfastWebAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockProblems holdfastLockProblems() {
        return new LockProblems();
    }
}
