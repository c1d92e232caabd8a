package dev.holdfast.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.cdi.Locked;
import dev.holdfast.cdi.LockedJob;
import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.cdi.OnBusy;
import dev.holdfast.cdi.reader.Container;
import dev.holdfast.cdi.reader.KeyTypes;
import dev.holdfast.cdi.reader.LockedMethodReader;
import dev.holdfast.cdi.reader.Names;
import dev.holdfast.cdi.reader.TypeTree;
import dev.holdfast.cdi.runtime.KeyPath;
import dev.holdfast.cdi.runtime.LockedMethodData;
import dev.holdfast.cdi.runtime.ResultKind;
import dev.holdfast.cdi.runtime.ScheduleSettings;
import dev.holdfast.lock.Lease;
import io.quarkus.arc.processor.BeanArchives;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.ListIterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.DotName;
import org.jboss.jandex.Index;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The methods that the build accepts and refuses. */
class LockedMethodReaderTest {

    enum Size {
        SMALL
    }

    record Line(String article, int count) {}

    record Order(long id, List<Line> lines, Date at) {}

    record Email(String address) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Email email && email.address.equalsIgnoreCase(address);
        }

        @Override
        public int hashCode() {
            return address.toLowerCase(Locale.ROOT).hashCode();
        }
    }

    record Domain(String name) {
        @Override
        public final boolean equals(Object other) {
            return other instanceof Domain domain && domain.name.equalsIgnoreCase(name);
        }

        @Override
        public int hashCode() {
            return name.toLowerCase(Locale.ROOT).hashCode();
        }
    }

    static class Parcel {
        public final String number = "1";
        public final Date at = new Date(0);

        public String getSender() {
            return "me";
        }
    }

    static class Orders {

        @Locked(name = "a", key = "order.id")
        void good(Order order, Lease lease) {}

        @Locked(
                name = "a",
                key = {"parcel.number", "parcel.sender"})
        Uni<String> properties(Parcel parcel) {
            return Uni.createFrom().nullItem();
        }

        @Locked(
                name = "a",
                key = {"a", "b", "c", "d", "e", "f", "g", "h", "i"})
        Optional<String> plain(
                int a, Long b, UUID c, Size d, Instant e, List<Line> f, Set<String> g, BigDecimal h, CharSequence i) {
            return Optional.empty();
        }

        @Locked(name = "a", key = "any")
        CompletableFuture<String> any(Object any) {
            return new CompletableFuture<>();
        }

        @Scheduled(cron = "0 0 3 * * ?")
        @Scheduled(every = "{often}")
        @LockedJob(name = "a", atMost = "1h", atLeast = "1s")
        void job() {}

        @Locked(name = "a")
        private void hidden() {}

        @Locked(name = "a")
        static void ofTheClass() {}

        @Locked(key = "id")
        void nameless(String id) {}

        @Locked(name = "a", key = "ordr")
        void noParameter(Order order) {}

        @Locked(name = "a", key = "order.nubmer")
        void noProperty(Order order) {}

        @Locked(name = "a", key = "parcel")
        void noText(Parcel parcel) {}

        @Locked(name = "a", key = "order")
        void noTextInside(Order order) {}

        @Locked(name = "a", key = "line")
        void line(Line line) {}

        @Locked(name = "a", key = "email")
        void ownEquals(Email email) {}

        @Locked(name = "a", key = "domain")
        void finalEquals(Domain domain) {}

        @Locked(name = "a", key = "ids")
        void array(String[] ids) {}

        @Locked(name = "a", key = "size.hashCode")
        void hashOfAnEnum(Size size) {}

        @Locked(name = "a", key = "lines.hashCode")
        void hashOfAList(List<Line> lines) {}

        @Locked(
                name = "a",
                key = {"id.hashCode", "at.hashCode"})
        void hashes(String id, Instant at) {}

        @Locked(name = "a", key = "map")
        void map(Map<String, String> map) {}

        @Locked(name = "a", key = "parcels")
        void listOf(List<Parcel> parcels) {}

        @Locked(name = "a", onBusy = OnBusy.SKIP)
        int primitive() {
            return 0;
        }

        @Locked(name = "a")
        Stream<String> stream() {
            return Stream.of();
        }

        @Locked(name = "a")
        Future<String> future() {
            return new CompletableFuture<>();
        }

        @Locked(name = "a")
        Supplier<String> supplier() {
            return () -> "x";
        }

        @Locked(name = "a")
        ListIterator<String> iterator() {
            return List.of("x").listIterator();
        }

        @Locked(name = "a", reentrant = true)
        Uni<String> reentrant() {
            return Uni.createFrom().nullItem();
        }

        @Locked(name = "a")
        void twoLeases(Lease one, Lease two) {}

        @Scheduled(every = "10s")
        @Locked(name = "a")
        void waits() {}

        @Scheduled(every = "10s")
        @LockedJob(name = "a", atMost = "1h")
        void noCron() {}

        @Scheduled(cron = "0 0 3 * * ?")
        @Scheduled(every = "1s")
        @LockedJob(name = "a", atMost = "1h")
        void notOnlyCron() {}

        @Locked(name = "a")
        @LockedJob(name = "a", atMost = "1h", atLeast = "1s")
        void both() {}
    }

    static class NoBean {

        @Locked(name = "a")
        void unseen() {}
    }

    interface Contract {

        @Locked(name = "a")
        void promised();
    }

    @Locked(name = "a")
    static class WholeClass {}

    private static final IndexView INDEX = index();

    private static IndexView index() {
        try {
            Index classes = Index.of(
                    Orders.class,
                    NoBean.class,
                    Contract.class,
                    WholeClass.class,
                    Order.class,
                    Line.class,
                    Email.class,
                    Domain.class,
                    Parcel.class);
            return BeanArchives.buildComputingBeanArchiveIndex(
                    LockedMethodReaderTest.class.getClassLoader(), new ConcurrentHashMap<>(), classes);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static LockedMethodData read(Class<?> owner, String name, DotName... converted) {
        TypeTree types = new TypeTree(INDEX::getClassByName);
        Set<DotName> beans = Set.of(DotName.createSimple(Orders.class));
        Container quarkus = new Container("Quarkus", true, true, bean -> beans.contains(bean) ? beans : Set.of());
        LockedMethodReader reader = new LockedMethodReader(types, new KeyTypes(types, Set.of(converted)), quarkus);
        MethodInfo method = INDEX.getClassByName(owner).methods().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        AnnotationInstance job = method.declaredAnnotation(Names.LOCKED_JOB);
        return reader.read(job != null ? job : method.declaredAnnotation(Names.LOCKED), method);
    }

    @Test
    void methodsAreRead() {
        LockedMethodData good = read(Orders.class, "good");
        assertThat(good.shape().leaseParameter()).hasValue(1);
        assertThat(good.settings().keys())
                .containsExactly(
                        new KeyPath("order.id", 0, List.of(new KeyPath.Step(Order.class.getName(), "id", false))));
        assertThat(read(Orders.class, "properties").shape().result()).isEqualTo(ResultKind.UNI);
        assertThat(read(Orders.class, "properties").settings().keys())
                .extracting(path -> path.steps().get(0))
                .containsExactly(
                        new KeyPath.Step(Parcel.class.getName(), "number", true),
                        new KeyPath.Step(Parcel.class.getName(), "getSender", false));
        assertThat(read(Orders.class, "plain").settings().keys()).hasSize(9);
        assertThat(read(Orders.class, "line").settings().keys()).hasSize(1);
        assertThat(read(Orders.class, "hashes").settings().keys()).hasSize(2);
        assertThat(read(Orders.class, "any").shape().result()).isEqualTo(ResultKind.STAGE);
        assertThat(read(Orders.class, "job").times().schedule())
                .isEqualTo(new ScheduleSettings("@Scheduled", List.of("0 0 3 * * ?"), List.of("${often}")));
        assertThat(read(Orders.class, "line").times().schedule())
                .isEqualTo(new ScheduleSettings("", List.of(), List.of()));
    }

    @Test
    void aConverterMakesATypeAKey() {
        assertThat(read(Orders.class, "noText", DotName.createSimple(Parcel.class))
                        .settings()
                        .keys())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hidden       | is private, so Quarkus does not intercept its calls
            ofTheClass   | is static, so
            nameless     | has no name. Name the lock, as in @Locked(name = "orders").
            noParameter  | has the key 'ordr', but no parameter 'ordr'
            noProperty   | has the property 'nubmer', which dev.holdfast.quarkus.deployment.LockedMethodReaderTest$Order does not have
            noText       | is of dev.holdfast.quarkus.deployment.LockedMethodReaderTest$Parcel, whose text may differ for equal values
            noTextInside | is of java.util.Date, whose text may differ for equal values
            ownEquals    | LockedMethodReaderTest$Email, a record whose own equals method may ignore differences
            finalEquals  | LockedMethodReaderTest$Domain, a record whose own equals method may ignore differences
            array        | is of java.lang.String[], whose text may differ for equal values
            hashOfAnEnum | calls hashCode() of dev.holdfast.quarkus.deployment.LockedMethodReaderTest$Size, which may differ
            hashOfAList  | calls hashCode() of java.util.List, which may differ
            map          | is of java.util.Map, whose text may differ for equal values
            listOf       | LockedMethodReaderTest$Parcel, whose text may differ for equal values
            primitive    | returns a primitive int, but when it is skipped there is no result
            stream       | returns a java.util.stream.Stream, or is suspended
            future       | returns a java.util.concurrent.Future, or is suspended
            supplier     | returns a java.util.function.Supplier, or is suspended, so its work may run after
            iterator     | returns a java.util.ListIterator, or is suspended
            reentrant    | is reentrant, but returns a Uni
            twoLeases    | has 2 parameters of type Lease
            waits        | is @Scheduled and waits for its lock, so each instance runs it
            noCron       | has no atLeast, and no cron expression
            notOnlyCron  | has no atLeast, and no cron expression
            both         | is @Locked too
            """)
    void theBuildRefuses(String method, String reason) {
        assertThatThrownBy(() -> read(Orders.class, method))
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContaining("method LockedMethodReaderTest$Orders." + method)
                .hasMessageContaining(reason);
    }

    @Test
    void anArrayIsNamedAsInTheSource() {
        assertThatThrownBy(() -> read(Orders.class, "array"))
                .hasMessageStartingWith("@Locked method LockedMethodReaderTest$Orders.array(String[]) has the key");
    }

    @Test
    void theBuildRefusesMethodsThatNobodyIntercepts() {
        assertThatThrownBy(() -> read(NoBean.class, "unseen")).hasMessageContaining("is in a class that is not a bean");
        assertThatThrownBy(() -> read(Contract.class, "promised"))
                .hasMessageContaining("is abstract or in an interface");
        assertThatThrownBy(() -> LockedMethodReader.rejectClass(
                        INDEX.getClassByName(WholeClass.class).declaredAnnotation(Names.LOCKED),
                        INDEX.getClassByName(WholeClass.class)))
                .hasMessageContaining("would have one lock for all its methods");
    }
}
