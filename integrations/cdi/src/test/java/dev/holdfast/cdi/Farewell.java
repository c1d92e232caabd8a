package dev.holdfast.cdi;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A bean that still needs its lock when the application ends. */
@ApplicationScoped
public class Farewell {

    static final List<Boolean> held = new CopyOnWriteArrayList<>();

    @Inject
    Shop shop;

    void greet() {
        held.add(shop.holdsItself());
    }

    @PreDestroy
    void end() {
        held.add(shop.holdsItself());
    }
}
