package dev.holdfast.quarkus;

import dev.holdfast.Holdfast;
import dev.holdfast.cdi.Locked;
import dev.holdfast.lock.Lease;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.function.Supplier;

/** Beans that implement a generic interface, for whose methods the compiler generates bridges with the same annotations. */
public class Handlers {

    /** A handler of any type. */
    public interface Handler<T, R> {
        R handle(T input);
    }

    @ApplicationScoped
    public static class Orders implements Handler<Shop.Order, String> {

        @Override
        @Locked(name = "handled", key = "input.id")
        public String handle(Shop.Order input) {
            return Holdfast.currentLease().map(Lease::name).orElse("none");
        }
    }

    @ApplicationScoped
    public static class Numbers implements Supplier<String> {

        @Override
        @Locked("numbers")
        public String get() {
            return Holdfast.currentLease().map(Lease::name).orElse("none");
        }
    }
}
