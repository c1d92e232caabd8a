package dev.holdfast.spring.aspect;

import static dev.holdfast.spring.boot.Contexts.analysis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.LockedMethodException;
import dev.holdfast.spring.boot.Contexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys that do not tell equal calls: refused at start where the types are known, and at the call where only that can tell. */
class KeysTest {

    /** Without a text of its own. */
    static class Order {
        private final Id id = new Id();

        public Id getId() {
            return id;
        }

        public List<Order> getParts() {
            return List.of();
        }
    }

    static class Id {}

    record Line(Order order) {}

    static class Holders {
        final AtomicInteger holders = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final CountDownLatch two = new CountDownLatch(2);

        void held() throws InterruptedException {
            most.accumulateAndGet(holders.incrementAndGet(), Math::max);
            two.countDown();
            two.await(50, TimeUnit.MILLISECONDS); // for a second holder, which comes unless the lock is one
            holders.decrementAndGet();
        }

        public int most() { // a field would be that of the proxy
            return most.get();
        }
    }

    static class AnyKey extends Holders {
        @Locked(name = "order", key = "#key")
        public void lock(@Nullable Object key) throws InterruptedException {
            held();
        }

        @Locked(name = "order", key = "'order' + #key")
        public void sum(Object key) {}

        @Locked(name = "order", key = "#key")
        public void number(Number key) {}
    }

    // ---- at start

    static class OfAType {
        @Locked(name = "order", key = "#order")
        public void work(Order order) {}
    }

    static class ByPosition {
        @Locked(name = "order", key = "#a0")
        public void work(Order order) {}
    }

    static class OfAProperty {
        @Locked(name = "order", key = "#order.id")
        public void work(Order order) {}
    }

    static class OfARecord {
        @Locked(name = "order", key = "#line.order")
        public void work(Line line) {}
    }

    static class OfAnArray {
        @Locked(name = "order", key = "#ids")
        public void work(String[] ids) {}
    }

    static class OfBytes {
        @Locked(name = "order", key = "#id")
        public void work(byte[] id) {}
    }

    static class OfAList {
        @Locked(name = "order", key = "#orders")
        public void work(List<Order> orders) {}
    }

    static class OfParts {
        @Locked(name = "order", key = "#order.parts")
        public void work(Order order) {}
    }

    static class OfAMap {
        @Locked(name = "order", key = "#orders")
        public void work(Map<String, List<? extends Order>> orders) {}
    }

    static class OfAnOptional {
        @Locked(name = "order", key = "#order")
        public void work(Optional<Order> order) {}
    }

    static class OfASum {
        @Locked(name = "order", key = "'a-' + #order + '-b'")
        public void work(Order order) {}
    }

    abstract static class Generic<T> {
        @Locked(name = "order", key = "#order")
        public void work(T order) {}
    }

    static class OfAGenericType extends Generic<Order> {}

    static Stream<Arguments> refusedAtStart() {
        return Stream.of(
                Arguments.of(
                        OfAType.class,
                        "OfAType.work(Order) has the key '#order', which is of " + Order.class.getName()),
                Arguments.of(ByPosition.class, "which is of " + Order.class.getName()),
                Arguments.of(OfAProperty.class, "which is of " + Id.class.getName()),
                Arguments.of(OfARecord.class, "which is of " + Order.class.getName()),
                Arguments.of(OfAnArray.class, "which is an array (String[])"),
                Arguments.of(OfBytes.class, "which is an array (byte[])"),
                Arguments.of(OfAList.class, "which is of " + Order.class.getName()),
                Arguments.of(OfParts.class, "which is of " + Order.class.getName()),
                Arguments.of(OfAMap.class, "which is of " + Order.class.getName()),
                Arguments.of(OfAnOptional.class, "which is of " + Order.class.getName()),
                Arguments.of(OfASum.class, "which is of " + Order.class.getName()),
                Arguments.of(OfAGenericType.class, "which is of " + Order.class.getName()));
    }

    @ParameterizedTest
    @MethodSource("refusedAtStart")
    void e21_aTypeWithoutATextOfItsOwnEndsTheStart(Class<?> bean, String message) {
        Contexts.inMemory().withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            assertThat(analysis(context.getStartupFailure()).getDescription())
                    .contains(message)
                    .doesNotContain("\n");
            assertThat(analysis(context.getStartupFailure()).getAction()).contains("#order.id");
        });
    }

    // ---- at the call

    static Stream<Object> refusedAtTheCall() {
        Runnable lambda = () -> {};
        return Stream.of(
                new Order(),
                new Order[] {new Order()},
                new int[] {1},
                lambda,
                List.of(new Order()),
                List.of(List.of("a", new int[] {1})),
                Optional.of(new Order()),
                new Line(new Order()),
                new TreeMap<>(Map.of("a", new Order())),
                new StringBuilder("x ").append(new Object()),
                Set.of("a", "b"),
                Map.of("a", "b"));
    }

    @ParameterizedTest
    @MethodSource("refusedAtTheCall")
    void e21_aValueWithoutATextOfItsOwnEndsTheCall(Object key) {
        Contexts.inMemory().withBean(AnyKey.class).run(context -> {
            AnyKey bean = context.getBean(AnyKey.class);
            assertThatThrownBy(() -> bean.lock(key))
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContaining("AnyKey.lock(Object) has the key '#key', which ")
                    .hasMessageContaining("each call could have its own lock")
                    .hasMessageNotContaining("\n");
            assertThat(context.getBean(Holdfast.class).admin().list("order", 10).names())
                    .isEmpty();
        });
    }

    /** A sum converts arrays and collections to texts of their elements. */
    static Stream<Object> refusedInASum() {
        Runnable lambda = () -> {};
        return Stream.of(
                new Order(),
                lambda,
                List.of(new Order()),
                Optional.of(new Order()),
                new Line(new Order()),
                new Object());
    }

    @ParameterizedTest
    @MethodSource("refusedInASum")
    void e21_aSumWithSuchAValueEndsTheCall(Object key) {
        Contexts.inMemory()
                .withBean(AnyKey.class)
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(AnyKey.class).sum(key))
                        .isInstanceOf(LockedMethodException.class)
                        .hasMessageContaining("has the key ''order' + #key', which "));
    }

    static Stream<Object> accepted() {
        return Stream.of(
                "42",
                42,
                42L,
                UUID.randomUUID(),
                TimeUnit.DAYS,
                List.of("a", "b"),
                List.of(),
                Optional.of(1),
                new TreeSet<>(Set.of("b", "a")),
                "bob@cafe",
                "bob@cafe.de, ann@abc",
                "some.one@de",
                new StringBuilder("text"));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void aValueWithATextOfItsOwnIsAKey(Object key) {
        Contexts.inMemory().withBean(AnyKey.class).run(context -> {
            AnyKey bean = context.getBean(AnyKey.class);
            bean.lock(key);
            bean.sum(key);
            if (key instanceof Number number) {
                bean.number(number);
            }
            assertThat(bean.most()).isEqualTo(1);
        });
    }

    @Test
    void e21_eightThreadsAreNeverEightHolders() {
        Contexts.inMemory().withBean(AnyKey.class).run(context -> {
            AnyKey bean = context.getBean(AnyKey.class);
            ExecutorService threads = Executors.newFixedThreadPool(8);
            try {
                CyclicBarrier start = new CyclicBarrier(8);
                List<Future<?>> calls = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    calls.add(threads.submit(() -> {
                        start.await();
                        try {
                            bean.lock(new Order());
                        } catch (LockedMethodException e) {
                            // nobody runs without the lock
                        }
                        return null;
                    }));
                }
                for (Future<?> call : calls) {
                    call.get(30, TimeUnit.SECONDS);
                }
            } finally {
                threads.shutdownNow();
            }
            assertThat(bean.most()).as("holders at once").isLessThanOrEqualTo(1);
        });
    }
}
