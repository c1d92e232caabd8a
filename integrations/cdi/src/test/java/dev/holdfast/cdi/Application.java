package dev.holdfast.cdi;

import jakarta.enterprise.inject.spi.CDI;
import jakarta.enterprise.inject.spi.Extension;
import java.util.Map;
import java.util.ServiceLoader;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** An application in Weld: its properties, as system properties, and its beans. */
public final class Application implements AutoCloseable {

    private final Map<String, String> properties;
    private final WeldContainer container;

    private Application(Map<String, String> properties, WeldContainer container) {
        this.properties = properties;
        this.container = container;
    }

    /** Starts an application whose deployment succeeds. */
    public static Application start(Map<String, String> properties, Class<?>... beans) {
        properties.forEach(System::setProperty);
        try {
            return new Application(
                    properties,
                    new Weld()
                            .disableDiscovery()
                            .addExtensions(found())
                            .addBeanClasses(beans)
                            .initialize());
        } catch (Throwable e) {
            properties.keySet().forEach(System::clearProperty);
            throw e;
        }
    }

    /** Returns the extensions on the class path, which Weld itself would only look for together with beans. */
    private static Extension[] found() {
        return ServiceLoader.load(Extension.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(extension -> extension.getClass().getName().startsWith("dev.holdfast."))
                .toArray(Extension[]::new);
    }

    /** Returns a bean, or an object that stands for it. */
    public <T> T get(Class<T> type) {
        return container.select(type).get();
    }

    CDI<Object> beans() {
        return container;
    }

    @Override
    public void close() {
        properties.keySet().forEach(System::clearProperty);
        if (container.isRunning()) {
            container.shutdown();
        }
    }
}
