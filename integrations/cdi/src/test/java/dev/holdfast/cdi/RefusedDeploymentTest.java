package dev.holdfast.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.ejb.Schedule;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The deployments that the extension ends, each with a message about the cause. */
class RefusedDeploymentTest {

    private static final Map<String, String> MEMORY = Map.of("holdfast.nodes", "memory:refused");

    /** The text of the failure that names all methods of {@link Refused}. */
    private static final String ALL = textOf(catchThrowable(() -> start(
            MEMORY,
            Refused.class,
            Refused.NoBean.class,
            Refused.OtherPackage.class,
            Refused.Contract.class,
            Refused.WholeClass.class,
            Refused.FinalClass.class)));

    private static void start(Map<String, String> properties, Class<?>... beans) {
        Application.start(properties, beans).close();
    }

    private static String textOf(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            @Locked method Refused.hidden()            | is private, so the container does not intercept its calls
            @Locked method Refused.ofTheClass()        | is static, so the container
            @Locked method Refused.last()              | is final, so the container
            @Locked method Refused.created()           | is @PostConstruct too, so the container calls it without interceptors, and it would run without a lock
            @Locked method Refused.destroyed()         | is @PreDestroy too, so the container
            @Locked method Refused.injected(Holdfast)  | is @Inject too, so the container
            @Locked method Refused.nameless(String)    | has no name. Name the lock, as in @Locked(name = "orders").
            @Locked method Refused.noParameter(Refused$Order)  | has the key 'ordr', but no parameter 'ordr'
            @Locked method Refused.noProperty(Refused$Order)   | has the key 'order.nubmer', which has the property 'nubmer', which dev.holdfast.cdi.Refused$Order does not have
            @Locked method Refused.noText(Refused$Parcel)      | has the key 'parcel', which is of dev.holdfast.cdi.Refused$Parcel, whose text may differ for equal values
            @Locked method Refused.noTextInside(Refused$Order) | has the key 'order', which is of java.util.Date, whose text may differ for equal values
            @Locked method Refused.ownEquals(Refused$Email)    | has the key 'email', which is of dev.holdfast.cdi.Refused$Email, a record whose own equals method
            @Locked method Refused.array(String[])     | has the key 'ids', which is of java.lang.String[], whose text may differ for equal values
            @Locked method Refused.arrays(int[][])     | has the key 'ids.length', which has the property 'length', which int[][] does not have
            @Locked method Refused.hash(Refused$Parcel) | has the key 'parcel.hashCode', which calls hashCode() of dev.holdfast.cdi.Refused$Parcel, which may differ for equal values, so
            @Locked method Refused.map(Map)            | has the key 'map', which is of java.util.Map, whose text may differ for equal values
            @Locked method Refused.listOf(List)        | has the key 'parcels', which is of dev.holdfast.cdi.Refused$Parcel, whose text
            @Locked method Refused.primitive()         | returns a primitive int, but when it is skipped there is no result
            @Locked method Refused.stream()            | returns a java.util.stream.Stream, or is suspended
            @Locked method Refused.future()            | returns a java.util.concurrent.Future, or is suspended
            @Locked method Refused.publisher()         | returns a java.util.concurrent.Flow$Publisher, or is suspended
            @Locked method Refused.callable()          | returns a java.util.concurrent.Callable, or is suspended, so its work may run after
            @Locked method Refused.iterator()          | returns a java.util.Iterator, or is suspended
            @Locked method Refused.reentrant()         | is reentrant, but returns a CompletionStage
            @Locked method Refused.twoLeases(Lease, Lease) | has 2 parameters of type Lease
            @Locked method Refused.waits()             | is @Schedule and waits for its lock, so each instance runs it
            @LockedJob method Refused.noMinimum()      | has no atLeast, and no cron expression
            @LockedJob method Refused.both()           | is @Locked too
            @Locked method Refused$NoBean.unseen()     | is in a class that is not a bean
            @Locked method PackageWork.work()          | is package-private, and a bean inherits it in another package, so the container
            @Locked method Refused$Contract.promised() | is abstract or in an interface
            @Locked class Refused$WholeClass           | would have one lock for all its methods
            @Locked method Refused$FinalClass.run()    | is in a final class, so the container
            """)
    void e25_aMethodThatCannotKeepItsPromiseEndsTheDeployment(String subject, String problem) {
        assertThat(ALL).contains(subject + " " + problem).doesNotContain("Refused.good");
    }

    /** Beans with one wrong text each. */
    static class Texts {

        @Dependent
        public static class NoDuration {

            @Locked(name = "a", waitFor = "soon")
            public void run() {}
        }

        @Dependent
        public static class NegativeDuration {

            @Locked(name = "a", maxHold = "-5s")
            public void run() {}
        }

        @Dependent
        public static class ShortTtl {

            @Locked(name = "a", ttl = "1ms")
            public void run() {}
        }

        @Dependent
        public static class AtLeastAboveAtMost {

            @LockedJob(name = "a", atMost = "1s", atLeast = "2s")
            public void run() {}
        }

        @Dependent
        public static class LongWait {

            @Schedule(second = "*/10")
            @Locked(name = "a", onBusy = OnBusy.SKIP, waitFor = "8s", atLeast = "2s")
            public void run() {}
        }

        @Dependent
        public static class NoAtMost {

            @LockedJob(name = "a", atMost = "${refused.max:}", atLeast = "2s")
            public void run() {}
        }

        @Dependent
        public static class UnknownProperty {

            @Locked(name = "${refused.unknown}")
            public void run() {}
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NoDuration         | has the waitFor 'soon', which is not a duration. Use a duration such as 500ms, 5s, 2m or 1h.
            NegativeDuration   | has the maxHold '-5s', but it must be 0 or more
            ShortTtl           | cannot be locked: ttl is 1 ms, but must be
            AtLeastAboveAtMost | holds its lock for at least 2000 ms, but for at most 1000 ms
            LongWait           | is @Schedule and waits up to 8 s for its lock, which stays held for at least 2 s, so each instance may run it
            NoAtMost           | has no atMost. Set the maximum time of a run, as in atMost = "2h".
            UnknownProperty    | has the text '${refused.unknown}': the property refused.unknown is not set
            """)
    void aWrongTextEndsTheDeployment(String bean, String problem) throws ClassNotFoundException {
        Class<?> type = Class.forName(Texts.class.getName() + "$" + bean);
        assertThatThrownBy(() -> start(MEMORY, type))
                .satisfies(failure -> assertThat(textOf(failure))
                        .contains("method RefusedDeploymentTest$Texts$" + bean + ".run() " + problem));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            holdfast.nodes              | redis:        | holdfast.nodes:
            holdfast.ttl                | soon          | holdfast.ttl: 'soon' is not a duration. Use a duration such as 500ms, 5s, 2m or 1h.
            holdfast.ttl                | 1ms           | holdfast.ttl: ttl is 1 ms, but must be
            holdfast.auto-extend        | yes           | holdfast.auto-extend: 'yes' is neither true nor false. Use one of them.
            holdfast.node.username      | ada           | holdfast.node.password: holdfast.node.username is set, but this property is not
            holdfast.node.tls.client-key | key.pem      | holdfast.node.tls.client-certificate: holdfast.node.tls.client-key is set
            holdfast.node.timeout       | 50s           | holdfast.node.timeout: timeout is 50 s, but must be at most half of holdfast.ttl, which is 30 s
            holdfast.locked.wait-for    | -1s           | holdfast.locked.wait-for: '-1s' is negative; it must be 0 or more
            holdfast.locked.wait-for    | 1 fortnight   | holdfast.locked.wait-for: '1 fortnight' is not a duration
            """)
    void aWrongPropertyEndsTheStart(String property, String value, String problem) {
        Map<String, String> properties = new HashMap<>(MEMORY);
        properties.put(property, value);
        assertThatThrownBy(() -> start(properties, Good.class))
                .satisfies(failure -> assertThat(textOf(failure)).contains(problem));
    }

    @Test
    void anApplicationWithoutNodesDoesNotStart() {
        assertThatThrownBy(() -> start(Map.of(), Good.class))
                .satisfies(failure -> assertThat(textOf(failure))
                        .contains("holdfast.nodes: no nodes are configured.")
                        .contains("produce a bean of type Holdfast"));
    }

    @Test
    void aConverterMakesATypeAKey() {
        start(MEMORY, Converted.class);
    }

    @Dependent
    public static class Good {

        @Locked("good")
        public void run() {}
    }

    @Dependent
    public static class Converted {

        @Produces
        LockKeyConverter<Refused.Parcel> parcels() {
            return LockKeyConverter.of(Refused.Parcel.class, parcel -> parcel.number);
        }

        @Locked(name = "a", key = "parcel")
        public void run(Refused.Parcel parcel) {}
    }
}
