package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.spring.aspect.BeanCheck;
import dev.holdfast.spring.aspect.CommitGuard;
import dev.holdfast.spring.aspect.Elections;
import dev.holdfast.spring.aspect.LeaderOnlyInterceptor;
import dev.holdfast.spring.aspect.LeaderOnlyMethods;
import dev.holdfast.spring.aspect.LockedAdvisor;
import dev.holdfast.spring.aspect.LockedInterceptor;
import dev.holdfast.spring.aspect.LockedMethods;
import dev.holdfast.spring.aspect.SkippedCalls;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.transaction.TransactionExecutionListener;

/** The auto-configuration of {@link dev.holdfast.spring.Locked} and {@link dev.holdfast.spring.LeaderOnly} methods. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class HoldfastMethodAutoConfiguration {

    /** Registers Spring's proxy creator, in case no other configuration has done so. */
    @Bean
    static BeanFactoryPostProcessor holdfastAutoProxyCreator() {
        return beans -> {
            if (beans instanceof BeanDefinitionRegistry registry) {
                AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            }
        };
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedMethods holdfastLockedMethods() {
        return new LockedMethods();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static SkippedCalls holdfastSkippedCalls() {
        return new SkippedCalls();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyMethods holdfastLeaderOnlyMethods(LockedMethods lockedMethods) {
        return new LeaderOnlyMethods(lockedMethods);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT) // a child context ends its candidacies when it stops
    static Elections holdfastElections(
            ObjectProvider<Holdfast> holdfast, ObjectProvider<ClientObserver> observers, SkippedCalls skipped) {
        return new Elections(holdfast::getObject, observers::orderedStream, skipped);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedAdvisor holdfastLockedAdvisor(
            LockedMethods methods,
            ObjectProvider<Holdfast> holdfast,
            ObjectProvider<HoldfastProperties> properties,
            SkippedCalls skipped,
            Environment environment) {
        LockedInterceptor interceptor = new LockedInterceptor(
                methods,
                holdfast::getObject,
                () -> properties.getObject().locked().waitFor(),
                skipped);
        return LockedAdvisor.ofLocked(interceptor, order(environment));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedAdvisor holdfastLeaderOnlyAdvisor(
            LeaderOnlyMethods methods, Elections elections, Environment environment) {
        return LockedAdvisor.ofLeaderOnly(new LeaderOnlyInterceptor(methods, elections), order(environment));
    }

    /** Returns the aspect's order. It is bound separately, because Spring creates advisors before the application's properties. */
    private static int order(Environment environment) {
        return Binder.get(environment)
                .bind("holdfast.locked.order", Integer.class)
                .orElse(LockedAdvisor.DEFAULT_ORDER);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static BeanCheck holdfastBeanCheck(
            LockedMethods lockedMethods,
            LeaderOnlyMethods leaderOnlyMethods,
            ObjectProvider<Elections> elections,
            ObjectProvider<Holdfast> holdfast) {
        return new BeanCheck(lockedMethods, leaderOnlyMethods, elections::getObject, holdfast::getObject);
    }

    /** The additional configuration for applications with transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TransactionExecutionListener.class)
    static class Transactions {

        @Bean
        CommitGuard holdfastCommitGuard() {
            return new CommitGuard();
        }
    }
}
