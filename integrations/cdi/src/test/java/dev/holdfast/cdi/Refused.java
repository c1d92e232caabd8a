package dev.holdfast.cdi;

import dev.holdfast.Holdfast;
import dev.holdfast.cdi.runtime.PackageWork;
import dev.holdfast.lock.Lease;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.ejb.Schedule;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Methods that cannot keep the promise of their annotation. */
@ApplicationScoped
public class Refused {

    public record Order(long id, Date at) {}

    public record Email(String address) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Email email && email.address.equalsIgnoreCase(address);
        }

        @Override
        public int hashCode() {
            return address.toLowerCase(Locale.ROOT).hashCode();
        }
    }

    public static class Parcel {
        public final String number = "1";
    }

    @Locked(name = "a", key = "parcel.number")
    public void good(Parcel parcel) {}

    @Locked(name = "a")
    private void hidden() {}

    @Locked(name = "a")
    static void ofTheClass() {}

    @Locked(name = "a")
    final void last() {}

    @PostConstruct
    @Locked(name = "a")
    void created() {}

    @PreDestroy
    @Locked(name = "a")
    void destroyed() {}

    @Inject
    @Locked(name = "a")
    void injected(Holdfast holdfast) {}

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

    @Locked(name = "a", key = "email")
    void ownEquals(Email email) {}

    @Locked(name = "a", key = "ids")
    void array(String[] ids) {}

    @Locked(name = "a", key = "ids.length")
    void arrays(int[][] ids) {}

    @Locked(name = "a", key = "parcel.hashCode")
    void hash(Parcel parcel) {}

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
    Flow.Publisher<String> publisher() {
        return subscriber -> {};
    }

    @Locked(name = "a")
    Callable<String> callable() {
        return () -> "x";
    }

    @Locked(name = "a")
    Iterator<String> iterator() {
        return List.of("x").iterator();
    }

    @Locked(name = "a", reentrant = true)
    CompletionStage<String> reentrant() {
        return new CompletableFuture<>();
    }

    @Locked(name = "a")
    void twoLeases(Lease one, Lease two) {}

    @Schedule(second = "*/10")
    @Locked(name = "a")
    void waits() {}

    @LockedJob(name = "a", atMost = "1h")
    void noMinimum() {}

    @Locked(name = "a")
    @LockedJob(name = "a", atMost = "1h", atLeast = "1s")
    void both() {}

    /** A class of which the container creates no objects. */
    public static class NoBean {

        public NoBean(String needed) {}

        @Locked(name = "a")
        void unseen() {}
    }

    /** A bean that inherits its locked method from another package. */
    @Dependent
    public static class OtherPackage extends PackageWork {}

    /** An interface whose implementation is a bean. */
    public interface Contract {

        @Locked(name = "a")
        default void promised() {}
    }

    @Dependent
    @Locked(name = "a")
    public static class WholeClass implements Contract {}

    @Dependent
    public static final class FinalClass {

        @Locked(name = "a")
        void run() {}
    }
}
