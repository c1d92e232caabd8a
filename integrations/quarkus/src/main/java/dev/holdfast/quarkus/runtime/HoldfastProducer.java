package dev.holdfast.quarkus.runtime;

import dev.holdfast.Holdfast;
import dev.holdfast.locked.ClientText;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.quarkus.HoldfastBuilderCustomizer;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
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
            HoldfastConfig config,
            @Any Instance<ClientObserver> observers,
            @Any Instance<HoldfastBuilderCustomizer> customizers) {
        Holdfast holdfast = new ClientFactory(config).create(observers, customizers);
        LOG.info(ClientText.summary(holdfast));
        return holdfast;
    }

    /** Releases the leases of the client, and closes it. */
    void close(@Disposes Holdfast holdfast) {
        holdfast.close();
    }
}
