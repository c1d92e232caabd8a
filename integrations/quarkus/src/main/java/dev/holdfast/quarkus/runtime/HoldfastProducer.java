package dev.holdfast.quarkus.runtime;

import dev.holdfast.Holdfast;
import dev.holdfast.cdi.HoldfastBuilderCustomizer;
import dev.holdfast.cdi.HoldfastPropertyException;
import dev.holdfast.cdi.runtime.ClientFactory;
import dev.holdfast.cdi.runtime.Platform;
import dev.holdfast.locked.ClientText;
import dev.holdfast.observe.ClientObserver;
import io.quarkus.arc.DefaultBean;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Set;
import org.jboss.logging.Logger;

/** The application's client as a bean. An application can have a bean of its own in its place. */
@Singleton
public class HoldfastProducer {

    private static final Logger LOG = Logger.getLogger(HoldfastProducer.class);

    /** Creates the client, and logs its nodes. */
    @Produces
    @Singleton
    @DefaultBean
    Holdfast holdfast(
            Platform platform,
            @Any Instance<ClientObserver> observers,
            @Any Instance<HoldfastBuilderCustomizer> customizers) {
        try {
            Holdfast holdfast = new ClientFactory(platform).create(observers, customizers);
            LOG.info(ClientText.summary(holdfast));
            return holdfast;
        } catch (HoldfastPropertyException e) {
            throw new ConfigurationException(e.getMessage(), e, Set.of(e.property()));
        }
    }

    /** Releases the leases of the client, and closes it. */
    void close(@Disposes Holdfast holdfast) {
        holdfast.close();
    }
}
