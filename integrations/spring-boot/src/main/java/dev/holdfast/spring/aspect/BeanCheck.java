package dev.holdfast.spring.aspect;

import dev.holdfast.Holdfast;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.scheduling.TaskScheduler;

/**
 * The checks of every bean with annotated methods. If a method cannot work, the start fails; if a method may surprise its author, the check logs a
 * warning. The check reads the methods of a bean before Spring wraps it. When all beans exist, it checks their proxies and the names of the locks,
 * without asking a node.
 */
public final class BeanCheck
        implements BeanPostProcessor, BeanFactoryAware, SmartInitializingSingleton, PriorityOrdered {

    private static final Log LOG = LogFactory.getLog(BeanCheck.class);
    private static final String TRANSACTION_ADVICE =
            "org.springframework.transaction.interceptor.TransactionInterceptor";

    private final LockedMethods lockedMethods;
    private final LeaderOnlyMethods leaderOnlyMethods;
    private final Supplier<Elections> elections;
    private final Supplier<Holdfast> holdfast;
    private final Map<String, Class<?>> found = new ConcurrentHashMap<>();
    private final Set<Class<?>> plain = ConcurrentHashMap.newKeySet();
    private final Set<String> runners = ConcurrentHashMap.newKeySet();
    private volatile boolean started;
    private @Nullable ConfigurableListableBeanFactory beans;

    public BeanCheck(
            LockedMethods lockedMethods,
            LeaderOnlyMethods leaderOnlyMethods,
            Supplier<Elections> elections,
            Supplier<Holdfast> holdfast) {
        this.lockedMethods = lockedMethods;
        this.leaderOnlyMethods = leaderOnlyMethods;
        this.elections = elections;
        this.holdfast = holdfast;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = (ConfigurableListableBeanFactory) beanFactory;
    }

    /** Returns an order before that of {@code @PostConstruct}, so that a method which cannot be locked does not run. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE - 1_000;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        Class<?> type = AopUtils.getTargetClass(bean);
        if (!plain.contains(type)) {
            var leaderOnly = leaderOnlyMethods.of(type);
            if (lockedMethods.of(type).isEmpty() && leaderOnly.isEmpty()) {
                plain.add(type);
            } else {
                checkCallers(beanName, type);
                found.put(beanName, type);
                if (started) {
                    rehearse(type);
                    closesBeforeClient(beanName);
                }
                leaderOnly.values().forEach(method -> elections.get().candidate(method.election()));
            }
        }
        if (bean instanceof Executor || bean instanceof TaskScheduler) {
            runners.add(beanName);
        }
        return bean;
    }

    /** Checks what a factory bean has made, which Spring passes here only. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return found.containsKey(beanName) ? bean : postProcessBeforeInitialization(bean, beanName);
    }

    /** Rejects a locked method that the definition of its bean names as its init method or destroy method. */
    private void checkCallers(String beanName, Class<?> type) {
        if (beans != null && beans.containsBeanDefinition(beanName)) {
            BeanDefinition definition = beans.getMergedBeanDefinition(beanName);
            lockedMethods.of(type).forEach((method, settings) -> {
                String name = method.getName();
                boolean isCallback =
                        name.equals(definition.getInitMethodName()) || name.equals(definition.getDestroyMethodName());
                if (isCallback && method.getParameterCount() == 0) {
                    throw settings.traps().calledBySpring();
                }
            });
        }
    }

    private void rehearse(Class<?> type) {
        lockedMethods.of(type).values().forEach(method -> method.rehearse(holdfast.get()));
    }

    /** Makes Spring stop a bean that runs locked methods, or holds their state, before it closes the client. */
    private void closesBeforeClient(String beanName) {
        if (beans != null) {
            for (String client : beans.getBeanNamesForType(Holdfast.class, true, false)) {
                beans.registerDependentBean(client, beanName);
            }
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        started = true;
        runners.forEach(this::closesBeforeClient);
        found.forEach((name, type) -> {
            rehearse(type);
            closesBeforeClient(name);
            Object bean = beans == null || !beans.containsSingleton(name) ? null : singleton(beans, name, type);
            if (bean != null) {
                checkProxy(name, bean, type);
            }
        });
        if (beans != null) {
            warnOfUnseen(beans);
        }
    }

    /** Warns of singletons that no post-processor has seen, because they were created too early, or registered as they are. */
    private void warnOfUnseen(ConfigurableListableBeanFactory all) {
        for (String name : all.getSingletonNames()) {
            Object bean = found.containsKey(name) ? null : all.getSingleton(name);
            Class<?> type = bean == null ? null : AopUtils.getTargetClass(bean);
            if (type == null || plain.contains(type) || AopUtils.isAopProxy(bean)) {
                continue;
            }
            Stream.concat(
                            lockedMethods.of(type).values().stream().map(LockedMethod::traps),
                            leaderOnlyMethods.of(type).keySet().stream()
                                    .map(method -> new MethodTraps("LeaderOnly", method)))
                    .findFirst()
                    .ifPresent(traps -> LOG.warn(traps.problem(
                                    "is in the bean '" + name
                                            + "', which Spring has not passed to its post-processors, so it runs without a lock",
                                    "Do not inject that bean into a BeanFactoryPostProcessor or a BeanPostProcessor, and let the method that declares one be static")
                            .getMessage()));
        }
    }

    /** Returns a singleton of this name and type: a factory bean has the same name as what it makes. */
    private static @Nullable Object singleton(BeanFactory beans, String name, Class<?> type) {
        String asked = FactoryBean.class.isAssignableFrom(type) ? BeanFactory.FACTORY_BEAN_PREFIX + name : name;
        return beans.isSingleton(asked) ? beans.getBean(asked) : null;
    }

    private void checkProxy(String name, Object bean, Class<?> type) {
        Map<Method, LockedMethod> locked = lockedMethods.of(type);
        locked.forEach((method, settings) -> requireSeen(bean, method, settings.traps(), name));
        leaderOnlyMethods
                .of(type)
                .forEach((method, settings) -> requireSeen(bean, method, new MethodTraps("LeaderOnly", method), name));
        if (bean instanceof Advised proxy) {
            locked.forEach((method, settings) -> tellOfOuterTransaction(proxy, method, type));
        }
    }

    private static void requireSeen(Object bean, Method method, MethodTraps traps, String name) {
        Class<?> target = AopUtils.getTargetClass(bean);
        if (!AopUtils.isAopProxy(bean)) {
            throw traps.problem(
                    "is in the bean '" + name
                            + "', which was created before Spring could wrap it, so it would run without a lock",
                    "Do not inject that bean into a BeanPostProcessor or a dependency of one");
        }
        boolean seen = !AopUtils.isJdkDynamicProxy(bean)
                || Arrays.stream(bean.getClass().getInterfaces()).anyMatch(type -> has(type, method, target));
        if (!seen) {
            throw traps.problem(
                    "is in no interface of the bean '" + name
                            + "', whose proxy has only its interfaces, so it cannot be called",
                    "Declare it in the interface, or leave spring.aop.proxy-target-class at true");
        }
    }

    /** Returns whether the method of the target implements one of the interface, whose parameters may have other types if it is generic. */
    private static boolean has(Class<?> type, Method method, Class<?> target) {
        return Arrays.stream(type.getMethods())
                .filter(other -> other.getName().equals(method.getName()))
                .anyMatch(other -> LockedCall.method(other, target).equals(method));
    }

    /** Warns of a transaction that begins before the lock is acquired and commits after the lock was released. */
    private static void tellOfOuterTransaction(Advised proxy, Method method, Class<?> type) {
        List<Advisor> advisors = List.of(proxy.getAdvisors());
        int lock = indexOf(advisors, advisor -> advisor.getAdvice() instanceof LockedInterceptor);
        int transaction = indexOf(advisors, advisor -> isTransactionOf(advisor, method, type));
        if (transaction >= 0 && transaction < lock) {
            LOG.warn(new MethodTraps("Locked", method)
                    .problem(
                            "begins its transaction (order " + order(advisors.get(transaction))
                                    + ") before it acquires its lock (order " + order(advisors.get(lock))
                                    + "), so it releases the lock before the transaction commits, and the next holder does not see the changes",
                            "Set holdfast.locked.order to a smaller number than @EnableTransactionManagement has, or set neither")
                    .getMessage());
        }
    }

    private static int indexOf(List<Advisor> advisors, Predicate<Advisor> which) {
        return IntStream.range(0, advisors.size())
                .filter(index -> which.test(advisors.get(index)))
                .findFirst()
                .orElse(-1);
    }

    private static boolean isTransactionOf(Advisor advisor, Method method, Class<?> type) {
        for (Class<?> kind = advisor.getAdvice().getClass(); kind != null; kind = kind.getSuperclass()) {
            if (kind.getName().equals(TRANSACTION_ADVICE)) {
                return !(advisor instanceof PointcutAdvisor narrow)
                        || narrow.getPointcut().getMethodMatcher().matches(method, type);
            }
        }
        return false;
    }

    private static int order(Advisor advisor) {
        return advisor instanceof Ordered ordered ? ordered.getOrder() : Ordered.LOWEST_PRECEDENCE;
    }
}
