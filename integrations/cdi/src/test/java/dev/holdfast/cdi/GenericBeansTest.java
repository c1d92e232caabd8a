package dev.holdfast.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Beans that implement generic interfaces, for whose methods the compiler generates bridges with the same annotations. */
class GenericBeansTest {

    public record Order(String id) {}

    /** A handler of any type. */
    public interface Handler<T, R> {
        R handle(T input);
    }

    @ApplicationScoped
    public static class Orders implements Handler<Order, String> {

        @Override
        @Locked(name = "orders", key = "input.id")
        public String handle(Order input) {
            return Holdfast.currentLease().map(Lease::name).orElse("none");
        }
    }

    @ApplicationScoped
    public static class Names implements Handler<String, String> {

        @Override
        @Locked("names")
        public String handle(String input) {
            return Holdfast.currentLease().map(Lease::name).orElse("none");
        }
    }

    /** A source of any type. */
    public interface Source<R> {
        R next();
    }

    @ApplicationScoped
    public static class Numbers implements Source<String> {

        @Override
        @Locked("numbers")
        public String next() {
            return Holdfast.currentLease().map(Lease::name).orElse("none");
        }
    }

    /** A message of any type. */
    public record Message<T>(T content) {}

    /** An entity with any type of key. */
    public static class Entity<K> {
        private final K key;

        Entity(K key) {
            this.key = key;
        }

        public K getKey() {
            return key;
        }
    }

    /** An order with its key. */
    public static class Saved extends Entity<Order> {
        Saved(Order key) {
            super(key);
        }
    }

    @ApplicationScoped
    public static class Inbox {

        @Locked(name = "received", key = "message.content.key.id")
        public String receive(Message<Saved> message) {
            return Holdfast.currentLease().map(Lease::name).orElse("none");
        }
    }

    @Test
    void theTypeArgumentsOfAnArgumentAreTheTypesOfItsProperties() {
        try (Application application = Application.start(Map.of("holdfast.nodes", "memory:generic"), Inbox.class)) {
            Message<Saved> message = new Message<>(new Saved(new Order("7")));
            assertThat(application.get(Inbox.class).receive(message)).isEqualTo("received:7");
        }
    }

    @Test
    void theMethodsOfGenericInterfacesAreLocked() {
        Map<String, String> properties = Map.of("holdfast.nodes", "memory:generic");
        try (Application application = Application.start(properties, Orders.class, Names.class, Numbers.class)) {
            Handler<Order, String> orders = application.get(Orders.class);
            assertThat(orders.handle(new Order("7"))).isEqualTo("orders:7");
            assertThat(application.get(Orders.class).handle(new Order("8"))).isEqualTo("orders:8");
            Handler<String, String> names = application.get(Names.class);
            assertThat(names.handle("x")).isEqualTo("names");
            Source<String> numbers = application.get(Numbers.class);
            assertThat(numbers.next()).isEqualTo("numbers");
        }
    }
}
