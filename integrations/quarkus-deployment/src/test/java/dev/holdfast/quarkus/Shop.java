package dev.holdfast.quarkus;

import dev.holdfast.Holdfast;
import dev.holdfast.cdi.LockKeyConverter;
import dev.holdfast.cdi.Locked;
import dev.holdfast.cdi.LockedJob;
import dev.holdfast.cdi.OnBusy;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A bean with locked methods of all kinds. */
@ApplicationScoped
public class Shop {

    @Inject
    Holdfast holdfast;

    private final AtomicInteger jobs = new AtomicInteger();

    /** A type without a text of its own. */
    public static final class Parcel {

        private final String number;

        Parcel(String number) {
            this.number = number;
        }

        public String getNumber() {
            return number;
        }
    }

    public record Customer(String name, LocalDate born) {}

    public record Order(String id, Customer customer) {}

    @Produces
    @Singleton
    LockKeyConverter<Parcel> parcels() {
        return LockKeyConverter.of(Parcel.class, Parcel::getNumber);
    }

    int jobs() {
        return jobs.get();
    }

    boolean isTaken(String name) {
        try (Acquisition other = holdfast.lock(name).localHandOver(false).tryAcquire()) {
            return !other.isHeld();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Locked("stock")
    public boolean stock() {
        return isTaken("stock");
    }

    @Locked(name = "order", key = "order.id")
    public List<Boolean> ship(Order order) {
        return List.of(isTaken("order:7"), isTaken("order:8"));
    }

    @Locked(name = "order", key = "order.customer")
    public boolean customer(Order order) {
        return isTaken("order:Customer[name=Ada, born=1815-12-10]");
    }

    @Locked(
            name = "order",
            key = {"shop", "order.id"})
    public boolean several(String shop, Order order) {
        return isTaken("order:a\\:b:7");
    }

    @Locked(name = "parcel", key = "parcel")
    public boolean parcel(Parcel parcel) {
        return isTaken("parcel:" + parcel.getNumber());
    }

    @Locked(name = "any", key = "any")
    public boolean any(Object any) {
        return isTaken("any:" + any);
    }

    @Locked(name = "${shop.lock}-${shop.missing:x}")
    public boolean expression() {
        return isTaken("from-config-x");
    }

    @Locked("token")
    public List<Long> token(@Nullable Lease lease) {
        return List.of(
                lease.fencingToken(), Holdfast.currentLease().orElseThrow().fencingToken());
    }

    @Locked(name = "busy", onBusy = OnBusy.SKIP)
    public @Nullable String skip() {
        return "ran";
    }

    @Locked(name = "busy", onBusy = OnBusy.SKIP)
    public Optional<String> skipOptional() {
        return Optional.of("ran");
    }

    @Locked(name = "busy", onBusy = OnBusy.SKIP)
    public Uni<String> skipUni() {
        return Uni.createFrom().item("ran");
    }

    @Locked(name = "busy", onBusy = OnBusy.FAIL)
    public void fail() {}

    @Locked(name = "busy", waitFor = "50ms")
    public void waitALittle() {}

    @Locked(name = "busy", mode = LockMode.PR)
    public String read() {
        return "read";
    }

    /** Calls another method of this object, which Quarkus intercepts too. */
    @Locked(name = "nested", key = "id")
    public String outer(String id) {
        return inner(id);
    }

    @Locked(name = "nested", key = "id")
    public String inner(String id) {
        return "ran";
    }

    @Locked(name = "nested", key = "id")
    public String outerOfReentrant(String id) {
        return reentrant(id);
    }

    @Locked(name = "nested", key = "id", reentrant = true)
    public String reentrant(String id) {
        return "ran";
    }

    @Locked(name = "long", maxHold = "300ms")
    public void tooLong() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Locked("stage")
    public CompletionStage<String> stage(CompletableFuture<String> work) {
        return work;
    }

    @Locked("uni")
    public Uni<String> uni(CompletableFuture<String> work, @Nullable Lease lease) {
        return Uni.createFrom().completionStage(work).map(text -> text + (lease.fencingToken() > 0));
    }

    @Locked(name = "kept", atLeast = "10s", onBusy = OnBusy.SKIP)
    public String kept() {
        return "ran";
    }

    @Scheduled(cron = "* * * * * ?")
    @LockedJob(name = "job", atMost = "1m")
    void job() {
        jobs.incrementAndGet();
    }
}
