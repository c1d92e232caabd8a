package dev.holdfast.spring.boot3;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.actuate.LockBook;
import dev.holdfast.spring.actuate.LockHealth;
import dev.holdfast.spring.boot.HoldfastActuatorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The auto-configuration of the health indicator, if the application has an actuator. */
@AutoConfiguration(after = HoldfastActuatorAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LockBook.class)
@ConditionalOnSingleCandidate(Holdfast.class)
@ConditionalOnEnabledHealthIndicator("holdfast")
public final class Boot3HealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "holdfastHealthIndicator")
    HealthIndicator holdfastHealthIndicator(Holdfast holdfast, LockBook book) {
        return new Boot3HealthIndicator(holdfast, book);
    }

    /** The indicator, which shows what the one for Spring Boot 4 shows. */
    private static final class Boot3HealthIndicator extends AbstractHealthIndicator {

        private final Holdfast holdfast;
        private final LockBook book;

        Boot3HealthIndicator(Holdfast holdfast, LockBook book) {
            super(LockHealth.FAILED);
            this.holdfast = holdfast;
            this.book = book;
        }

        @Override
        protected void doHealthCheck(Health.Builder builder) throws InterruptedException {
            LockHealth health = LockHealth.of(holdfast, book);
            builder.status(health.isUp() ? Status.UP : Status.DOWN).withDetails(health.details());
        }
    }
}
