package dev.holdfast.cdi.portable;

import dev.holdfast.Holdfast;
import dev.holdfast.cdi.HoldfastBuilderCustomizer;
import dev.holdfast.cdi.HoldfastPropertyException;
import dev.holdfast.cdi.LockKeyConverter;
import dev.holdfast.cdi.Locked;
import dev.holdfast.cdi.LockedJob;
import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.cdi.reader.ReadMethods;
import dev.holdfast.cdi.runtime.ClientFactory;
import dev.holdfast.cdi.runtime.HoldfastReadiness;
import dev.holdfast.cdi.runtime.HoldfastStart;
import dev.holdfast.cdi.runtime.LockedCalls;
import dev.holdfast.cdi.runtime.LockedInterceptor;
import dev.holdfast.cdi.runtime.LockedJobInterceptor;
import dev.holdfast.cdi.runtime.LockedMethodTable;
import dev.holdfast.cdi.runtime.LockedMethods;
import dev.holdfast.cdi.runtime.Platform;
import dev.holdfast.cdi.runtime.SkippedCalls;
import dev.holdfast.locked.ClientText;
import dev.holdfast.observe.ClientObserver;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessBean;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.inject.Singleton;
import java.lang.System.Logger.Level;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The extension of a CDI container. It adds the interceptors and the client, reads the annotations of the application's beans, and ends the deployment if a
 * method cannot keep its promise. The container calls it from one thread.
 */
public class HoldfastExtension implements Extension {

    private static final System.Logger LOG = System.getLogger(HoldfastExtension.class.getName());

    private final ContainerPlatform platform = new ContainerPlatform();
    private final DiscoveredClasses discovered = new DiscoveredClasses();
    private boolean hasClient;

    void addTypes(@Observes BeforeBeanDiscovery event) {
        Stream.of(
                        LockedMethods.class,
                        LockedCalls.class,
                        SkippedCalls.class,
                        HoldfastStart.class,
                        LockedInterceptor.class,
                        LockedJobInterceptor.class)
                .forEach(type -> event.addAnnotatedType(type, type.getName()));
        if (OptionalClasses.isPresent("org.eclipse.microprofile.health.HealthCheck") && platform.isHealthReported()) {
            event.addAnnotatedType(HoldfastReadiness.class, HoldfastReadiness.class.getName());
        }
    }

    /** Notes a class with locked methods, even if it is not a bean: its annotations would have no effect. */
    <T> void noteAnnotated(@Observes @WithAnnotations({Locked.class, LockedJob.class}) ProcessAnnotatedType<T> event) {
        discovered.addAnnotated(event.getAnnotatedType().getJavaClass());
    }

    <T> void noteClass(@Observes ProcessManagedBean<T> event) {
        discovered.addBean(event.getBean().getBeanClass());
    }

    <T> void noteTypes(@Observes ProcessBean<T> event) {
        Bean<?> bean = event.getBean();
        for (Type type : bean.getTypes()) {
            if (type instanceof ParameterizedType generic && generic.getRawType() == LockKeyConverter.class) {
                discovered.addConverted(generic.getActualTypeArguments()[0]);
            }
        }
        hasClient |=
                bean.getTypes().contains(Holdfast.class) && bean.getQualifiers().contains(Default.Literal.INSTANCE);
    }

    void addBeans(@Observes AfterBeanDiscovery event) {
        ReadMethods read = discovered.read();
        read.problems().forEach(event::addDefinitionError);
        LockedMethodTable table = new LockedMethodTable(read.methods());
        event.<LockedMethodTable>addBean()
                .types(LockedMethodTable.class)
                .scope(Singleton.class)
                .createWith(context -> table);
        event.<Platform>addBean().types(Platform.class).scope(Singleton.class).createWith(context -> platform);
        if (!hasClient) {
            event.<Holdfast>addBean()
                    .types(Holdfast.class)
                    .scope(Singleton.class)
                    .produceWith(this::client)
                    .disposeWith((client, beans) -> client.close());
        }
    }

    private Holdfast client(Instance<Object> beans) {
        Holdfast client = new ClientFactory(platform)
                .create(
                        beans.select(ClientObserver.class, Any.Literal.INSTANCE),
                        beans.select(HoldfastBuilderCustomizer.class, Any.Literal.INSTANCE));
        LOG.log(Level.INFO, () -> ClientText.summary(client));
        return client;
    }

    /** Checks the texts of all annotations, which may have expressions. The client, which may be the application's, is not created yet. */
    void check(@Observes AfterDeploymentValidation event, BeanManager beans) {
        try {
            beans.createInstance().select(LockedMethods.class).get();
        } catch (RuntimeException e) {
            event.addDeploymentProblem(problemIn(e));
        }
    }

    /** Returns the exception about a method or a property that a container has wrapped in its own. */
    private static Throwable problemIn(RuntimeException thrown) {
        List<@Nullable Throwable> causes = Stream.<@Nullable Throwable>iterate(
                        thrown, cause -> cause != null, cause -> cause == null ? null : cause.getCause())
                .toList();
        for (Throwable cause : causes) {
            if (cause instanceof LockedMethodException || cause instanceof HoldfastPropertyException) {
                return cause;
            }
        }
        return thrown;
    }
}
