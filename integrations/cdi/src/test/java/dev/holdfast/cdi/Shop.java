package dev.holdfast.cdi;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A bean with locked methods of all kinds. */
@ApplicationScoped
public class Shop {

    private static final long SHORT_WORK = 2_000_000;

    @Inject
    Holdfast holdfast;

    private final AtomicInteger inside = new AtomicInteger();
    private int sold;

    /** A type without a text of its own. */
    public record Parcel(Object content, String number) {}

    public record Customer(String name, LocalDate born) {}

    public record Order(String id, Customer customer) {}

    /** Converts a type that Holdfast cannot convert itself. */
    @Produces
    @Singleton
    LockKeyConverter<Parcel> parcels() {
        return LockKeyConverter.of(Parcel.class, Parcel::number);
    }

    /** Returns whether another user of the client cannot have a lock now. */
    boolean isTaken(String name) {
        try (Acquisition other = holdfast.lock(name).localHandOver(false).tryAcquire()) {
            return !other.isHeld();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    int sold() {
        return sold;
    }

    /** Sells one piece, and returns the number of threads that do so at the moment. */
    @Locked(name = "stock", key = "article")
    public int sell(String article) {
        int now = inside.incrementAndGet();
        int before = sold;
        LockSupport.parkNanos(SHORT_WORK); // long enough for another thread to come in without the lock
        sold = before + 1;
        inside.decrementAndGet();
        return now;
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
        return isTaken("parcel:" + parcel.number());
    }

    @Locked(name = "any", key = "any")
    public boolean any(Object any) {
        return isTaken("any:" + any);
    }

    @Locked(name = "${shop.lock}-${shop.missing:x}")
    public boolean expression() {
        return isTaken("from-properties-x");
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
    public CompletionStage<String> skipStage() {
        return CompletableFuture.completedFuture("ran");
    }

    @Locked(name = "busy", onBusy = OnBusy.FAIL)
    public void fail() {}

    @Locked(name = "busy", waitFor = "50ms")
    public void waitALittle() {}

    @Locked("busy")
    public String waitLong() {
        return "ran";
    }

    @Locked(name = "busy", mode = LockMode.PR)
    public String read() {
        return "read";
    }

    @Locked(name = "nested", key = "id")
    public String outer(String id, Shop itself) {
        return itself.inner(id);
    }

    @Locked(name = "nested", key = "id")
    public String inner(String id) {
        return "ran";
    }

    @Locked(name = "nested", key = "id")
    public String outerOfReentrant(String id, Shop itself) {
        return itself.reentrant(id) + isTaken("nested:" + id);
    }

    @Locked(name = "nested", key = "id", reentrant = true)
    public String reentrant(String id) {
        return "ran";
    }

    /** Reads again while another client waits to write. */
    @Locked(name = "shared", mode = LockMode.PR)
    public String reader(Shop itself) throws InterruptedException {
        CompletableFuture<Acquisition> writer =
                holdfast.lock("shared").localHandOver(false).tryAcquireAsync(Duration.ofMinutes(1));
        while (holdfast.admin().status("shared").waiters().isEmpty()) {
            LockSupport.parkNanos(SHORT_WORK);
        }
        try {
            return itself.readsAgain();
        } finally {
            writer.cancel(true);
        }
    }

    @Locked(name = "shared", mode = LockMode.PR, waitFor = "1s", reentrant = true)
    public String readsAgain() {
        return "read";
    }

    /** Calls a locked method of this object without the container's object for it. */
    public boolean callsItself() {
        return holdsItself();
    }

    @Locked("itself")
    public boolean holdsItself() {
        return isTaken("itself");
    }

    @Locked(name = "long", maxHold = "300ms")
    public void tooLong() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Locked("stage")
    public CompletionStage<String> stage(CompletableFuture<String> work) {
        return work;
    }

    @Locked("anything")
    public <T> T within(Supplier<T> work) {
        return work.get();
    }

    @Locked(name = "kept", atLeast = "10s", onBusy = OnBusy.SKIP)
    public @Nullable String kept() {
        return "ran";
    }

    @LockedJob(name = "job", atMost = "1m", atLeast = "10s")
    Optional<Boolean> job() {
        return Optional.of(isTaken("job"));
    }
}
