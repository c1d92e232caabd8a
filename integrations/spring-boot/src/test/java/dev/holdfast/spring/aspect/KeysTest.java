package dev.holdfast.spring.aspect;

import static dev.holdfast.spring.boot.Contexts.analysis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.LockKeyConverter;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.LockedMethodException;
import dev.holdfast.spring.boot.Contexts;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.JapaneseDate;
import java.time.chrono.ThaiBuddhistDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys that may differ between equal calls are rejected: at the start if the types are known by then, and otherwise at the call. */
@Tag("slow")
class KeysTest {

    private static final AtomicInteger SHUFFLES = new AtomicInteger();

    /** A type without a text of its own. */
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

    record Position(int number, Set<String> tags) {}

    record Blob(byte[] bytes) {}

    /** A record whose equal values may have different components. */
    record Email(String address) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Email email && email.address.equalsIgnoreCase(address);
        }

        @Override
        public int hashCode() {
            return address.toLowerCase(Locale.ROOT).hashCode();
        }
    }

    /** The compiler makes the methods of a record final; this one is in the source. */
    record Domain(String name) {
        @Override
        public final boolean equals(@Nullable Object other) {
            return other instanceof Domain domain && domain.name.equalsIgnoreCase(name);
        }

        @Override
        public int hashCode() {
            return name.toLowerCase(Locale.ROOT).hashCode();
        }
    }

    /** Its text differs between calls, as it would between processes with other languages. */
    enum Status {
        PAID;

        private static final AtomicInteger CALLS = new AtomicInteger();

        @Override
        public String toString() {
            return "paid " + CALLS.incrementAndGet();
        }
    }

    record Payment(Status status) {
        @Override
        public String toString() {
            return status.toString();
        }
    }

    /** A type with a text of its own, of which Holdfast cannot know that it is the same for equal values. */
    static class OwnText {
        private final String text;

        OwnText(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    static class Holders {
        final AtomicInteger holders = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final CountDownLatch two = new CountDownLatch(2);

        void held() throws InterruptedException {
            most.accumulateAndGet(holders.incrementAndGet(), Math::max);
            two.countDown();
            two.await(10, TimeUnit.MILLISECONDS); // a second holder appears unless the lock is the same
            holders.decrementAndGet();
        }

        public int most() { // a method, because a field would be the proxy's
            return most.get();
        }
    }

    static class AnyKey extends Holders {
        @Locked(name = "order", key = "#key")
        public void lock(@Nullable Object key) throws InterruptedException {
            held();
        }

        @Locked(name = "order", key = "'order' + #key")
        public String sum(Object key) {
            return Holdfast.currentLease().orElseThrow().name();
        }

        @Locked(name = "order", key = "#key")
        public String nameOf(Object key) {
            return Holdfast.currentLease().orElseThrow().name();
        }

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

    static class OfALine {
        @Locked(name = "order", key = "#line")
        public void work(Line line) {}
    }

    static class OfABlob {
        @Locked(name = "order", key = "#blob")
        public void work(Blob blob) {}
    }

    static class OfAnEmail {
        @Locked(name = "order", key = "#emails")
        public void work(List<Email> emails) {}
    }

    static class OfADomain {
        @Locked(name = "order", key = "#domain")
        public void work(Domain domain) {}
    }

    static class OfOwnText {
        @Locked(name = "order", key = "#text")
        public void work(OwnText text) {}
    }

    static class OfADate {
        @Locked(name = "order", key = "#day")
        public void work(Date day) {}
    }

    // ---- names that do not exist

    static class UnknownVariable {
        @Locked(name = "order", key = "'a' + #ordr")
        public void work(Order order) {}
    }

    static class UnknownPosition {
        @Locked(name = "order", key = "#a1")
        public void work(String id) {}
    }

    static class UnknownProperty {
        @Locked(name = "order", key = "#order.id.number")
        public void work(Order order) {}
    }

    static class UnreadableProperty {
        @Locked(name = "order", key = "#text.text")
        public void work(OwnText text) {}
    }

    static class UnknownInACall {
        @Locked(name = "order", key = "#text.concat(#order.nr)")
        public void work(String text, Order order) {}
    }

    static class WithoutASign {
        @Locked(name = "order", key = "id")
        public void work(String id) {}
    }

    static Stream<Arguments> unknownNames() {
        return Stream.of(
                Arguments.of(UnknownVariable.class, "has the variable #ordr, which is no parameter of the method"),
                Arguments.of(UnknownPosition.class, "has the variable #a1"),
                Arguments.of(
                        UnknownProperty.class,
                        "has the property 'number', which " + Id.class.getName() + " does not have"),
                Arguments.of(UnreadableProperty.class, "has the property 'text'"),
                Arguments.of(UnknownInACall.class, "has the property 'nr'"),
                Arguments.of(WithoutASign.class, "has the key 'id', which must name the parameter 'id' as #id."));
    }

    @ParameterizedTest
    @MethodSource("unknownNames")
    void e25_aNameThatDoesNotExistEndsTheStart(Class<?> bean, String message) {
        Contexts.inMemory().withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            assertThat(analysis(context.getStartupFailure()).getDescription())
                    .contains(bean.getSimpleName() + ".work(")
                    .contains(message);
            assertThat(analysis(context.getStartupFailure()).getAction()).contains("#a0");
        });
    }

    static class Known {
        @Locked(name = "order", key = "#root.method.name + #a0 + #lines.![order].size() + #line?.order?.parts.size()")
        public boolean work(String id, List<Line> lines, Line line) {
            return Holdfast.currentLease().orElseThrow().name().equals("order:workx10");
        }
    }

    @Test
    void namesThatExistAreAccepted() {
        Contexts.inMemory().withBean(Known.class).run(context -> {
            Line line = new Line(new Order());
            assertThat(context.getBean(Known.class).work("x", List.of(line), line))
                    .isTrue();
        });
    }

    // ---- converters

    @Test
    void e25_aConverterGivesATypeItsText() {
        Contexts.inMemory()
                .withBean(OfOwnText.class)
                .withBean(AnyKey.class)
                .withBean(LockKeyConverter.class, () -> LockKeyConverter.of(OwnText.class, OwnText::toString))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    AnyKey bean = context.getBean(AnyKey.class);
                    assertThat(bean.nameOf(new OwnText("7"))).isEqualTo("order:7");
                    assertThat(bean.nameOf(List.of(new OwnText("7")))).isEqualTo("order:[7]");
                    assertThat(bean.sum(new OwnText("7"))).isEqualTo("order:order7");
                });
    }

    static Stream<Arguments> refusedAtStart() {
        return Stream.of(
                Arguments.of(
                        OfAType.class,
                        "OfAType.work(Order) has the key '#order', which is of " + Order.class.getName()),
                Arguments.of(ByPosition.class, "which is of " + Order.class.getName()),
                Arguments.of(OfAProperty.class, "which is of " + Id.class.getName()),
                Arguments.of(OfARecord.class, "which is of " + Order.class.getName()),
                Arguments.of(OfAnArray.class, "which is of java.lang.String[]"),
                Arguments.of(OfBytes.class, "which is of byte[]"),
                Arguments.of(OfAList.class, "which is of " + Order.class.getName()),
                Arguments.of(OfParts.class, "which is of " + Order.class.getName()),
                Arguments.of(OfAMap.class, "which is of java.util.Map"),
                Arguments.of(OfAnOptional.class, "which is of " + Order.class.getName()),
                Arguments.of(OfASum.class, "which is of " + Order.class.getName()),
                Arguments.of(OfAGenericType.class, "which is of " + Order.class.getName()),
                Arguments.of(OfALine.class, "which is of " + Order.class.getName()),
                Arguments.of(OfABlob.class, "which is of byte[]"),
                Arguments.of(
                        OfAnEmail.class, "which is of " + Email.class.getName() + ", a record whose own equals method"),
                Arguments.of(
                        OfADomain.class,
                        "which is of " + Domain.class.getName() + ", a record whose own equals method"),
                Arguments.of(OfOwnText.class, "which is of " + OwnText.class.getName()),
                Arguments.of(OfADate.class, "which is of java.util.Date"));
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
                Arguments.of((Object) new Order[] {new Order()}),
                new int[] {1},
                lambda,
                List.of(new Order()),
                List.of(List.of("a", new int[] {1})),
                Optional.of(new Order()),
                new Line(new Order()),
                new Blob(new byte[] {1}),
                new Email("Bob@example.com"),
                Optional.of(new Email("bob@example.com")),
                new Domain("Example.com"),
                new Date(0),
                new TreeMap<>(Map.of("a", new Order())),
                new StringBuilder("x ").append(new Object()),
                Set.of(new Order()),
                new OwnText("7"),
                new AtomicInteger(7),
                new ArrayDeque<>(List.of("a")),
                Clock.systemUTC(),
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

    /** The parts of a concatenation follow the same rules. */
    static Stream<Object> refusedInASum() {
        Runnable lambda = () -> {};
        return Stream.of(
                new Order(),
                lambda,
                List.of(new Order()),
                Optional.of(new Order()),
                new Line(new Order()),
                new OwnText("7"),
                new int[] {1},
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

    /** Returns equal values that are different objects, if the type allows that. */
    static Stream<Supplier<Object>> accepted() {
        return Stream.of(
                () -> new String("42".toCharArray()),
                () -> (byte) 42,
                () -> (short) 4_200,
                () -> 42,
                () -> 42_000_000_000L,
                () -> 'c',
                () -> true,
                () -> 1.5,
                () -> 1.5f,
                () -> new BigDecimal("1.50"),
                () -> new BigInteger("7"),
                () -> new UUID(1, 2),
                () -> TimeUnit.DAYS,
                () -> Status.PAID,
                () -> new Payment(Status.PAID),
                () -> new BigDecimal("1.5" + "0".repeat(SHUFFLES.getAndIncrement() % 3)),
                () -> Duration.ofMinutes(3),
                () -> Period.of(1, 2, 3),
                () -> Instant.ofEpochSecond(1_795_600_000L, 5),
                () -> LocalDate.of(2026, 11, 25),
                () -> LocalTime.of(13, 30, 5, 6),
                () -> LocalDateTime.of(2026, 11, 25, 13, 30),
                () -> OffsetTime.of(13, 30, 5, 0, ZoneOffset.ofHours(2)),
                () -> OffsetDateTime.of(2026, 11, 25, 13, 30, 5, 0, ZoneOffset.ofHours(2)),
                () -> ZonedDateTime.of(2026, 11, 25, 13, 30, 5, 0, ZoneId.of("Europe/Paris")),
                () -> ZoneId.of("Europe/Paris"),
                () -> ZoneOffset.ofHoursMinutes(5, 30),
                () -> Year.of(2026),
                () -> YearMonth.of(2026, 11),
                () -> MonthDay.of(11, 25),
                () -> Month.NOVEMBER,
                () -> DayOfWeek.WEDNESDAY,
                () -> JapaneseDate.of(2026, 11, 25),
                () -> ThaiBuddhistDate.of(2569, 11, 25),
                () -> new ArrayList<>(List.of("a", "b")),
                List::of,
                () -> Optional.of(1),
                () -> new TreeSet<>(Set.of("b", "a")),
                () -> shuffled(new LinkedHashSet<>()),
                () -> new Position(7, shuffled(new LinkedHashSet<>())),
                () -> "bob@cafe",
                () -> "bob@cafe.de, ann@abc",
                () -> "some.one@de",
                () -> new StringBuilder("text"));
    }

    /** Adds elements in an order that differs between calls. */
    private static Set<String> shuffled(Set<String> set) {
        List<String> elements = new ArrayList<>(List.of("a", "b", "c", "d", "e"));
        Collections.rotate(elements, SHUFFLES.getAndIncrement());
        set.addAll(elements);
        return set;
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void e25_eightThreadsWithEqualKeysAreOneHolder(Supplier<Object> key) {
        Contexts.inMemory().withBean(AnyKey.class).run(context -> {
            AnyKey bean = context.getBean(AnyKey.class);
            inEightThreads(() -> bean.lock(key.get()));
            assertThat(bean.most()).as("holders at once").isEqualTo(1);
            assertThat(bean.sum(key.get())).isEqualTo(bean.sum(key.get()));
            if (key.get() instanceof Number number) {
                bean.number(number);
            }
        });
    }

    static Stream<Supplier<Object>> converted() {
        return Stream.of(
                () -> new OwnText("7"),
                () -> new ArrayList<>(List.of(new OwnText("7"), "b")),
                () -> Optional.of(new OwnText("7")),
                () -> new Email(SHUFFLES.getAndIncrement() % 2 == 0 ? "Bob@example.com" : "bob@Example.com"),
                () -> new Email[] {new Email("bob@example.com")});
    }

    @ParameterizedTest
    @MethodSource("converted")
    void e25_eightThreadsWithEqualConvertedKeysAreOneHolder(Supplier<Object> key) {
        Contexts.inMemory()
                .withBean(AnyKey.class)
                .withBean("texts", LockKeyConverter.class, () -> LockKeyConverter.of(OwnText.class, OwnText::toString))
                .withBean(
                        "emails",
                        LockKeyConverter.class,
                        () -> LockKeyConverter.of(
                                Email.class, email -> email.address().toLowerCase(Locale.ROOT)))
                .withBean(
                        "arrays",
                        LockKeyConverter.class,
                        () -> LockKeyConverter.of(
                                Email[].class, emails -> emails.length + " of " + emails[0].address()))
                .run(context -> {
                    AnyKey bean = context.getBean(AnyKey.class);
                    inEightThreads(() -> bean.lock(key.get()));
                    assertThat(bean.most()).as("holders at once").isEqualTo(1);
                    assertThat(bean.sum(key.get())).isEqualTo(bean.sum(key.get()));
                });
    }

    /** A call in one of several threads. */
    private interface Call {
        void run() throws Exception;
    }

    private static void inEightThreads(Call call) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            CyclicBarrier start = new CyclicBarrier(8);
            List<Future<?>> calls = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                calls.add(threads.submit(() -> {
                    start.await();
                    call.run();
                    return null;
                }));
            }
            for (Future<?> running : calls) {
                running.get(30, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void e21_eightThreadsAreNeverEightHolders() {
        Contexts.inMemory().withBean(AnyKey.class).run(context -> {
            AnyKey bean = context.getBean(AnyKey.class);
            inEightThreads(
                    () -> assertThatThrownBy(() -> bean.lock(new Order())).isInstanceOf(LockedMethodException.class));
            assertThat(bean.most()).as("holders at once").isZero();
        });
    }
}
