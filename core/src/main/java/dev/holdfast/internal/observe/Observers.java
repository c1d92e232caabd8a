package dev.holdfast.internal.observe;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import dev.holdfast.lock.Loss;
import dev.holdfast.lock.Refusal;
import dev.holdfast.observe.ClientObserver;
import dev.holdfast.observe.ExtensionObserver;
import dev.holdfast.observe.LeaseEnd;
import dev.holdfast.observe.LeaseObserver;
import dev.holdfast.observe.NodeOperation;
import dev.holdfast.observe.RequestObserver;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Several observers as one. An exception of one observer is logged, and changes nothing for the client or the other observers. */
public final class Observers implements ClientObserver {

    private static final System.Logger LOG = System.getLogger(Observers.class.getName());

    private static final ThreadLocal<@Nullable Boolean> TELLING = new ThreadLocal<>();

    private final List<ClientObserver> all;

    private Observers(List<ClientObserver> all) {
        this.all = all;
    }

    /** Returns these observers, preceded by the one that creates events of Java Flight Recorder, if this Java runtime has it. */
    public static ClientObserver of(List<ClientObserver> observers) {
        List<ClientObserver> all = new ArrayList<>();
        if (ModuleLayer.boot().findModule("jdk.jfr").isPresent()) {
            all.add(new RecorderObserver());
        }
        all.addAll(observers);
        return observers.isEmpty() && !all.isEmpty() ? all.get(0) : new Observers(all);
    }

    @Override
    public LeaseObserver attempt(String lock, LockMode mode) {
        return leaseObservers(observer -> observer.attempt(lock, mode));
    }

    @Override
    public LeaseObserver candidacy(String lock, LockMode mode) {
        return leaseObservers(observer -> observer.candidacy(lock, mode));
    }

    private LeaseObserver leaseObservers(Function<ClientObserver, LeaseObserver> beginning) {
        List<LeaseObserver> told = from(beginning, LeaseObserver.NONE);
        return told.isEmpty() ? LeaseObserver.NONE : new LeaseObservers(told);
    }

    @Override
    public void lost(Loss loss, LockMode mode, long token) {
        tell(all, observer -> observer.lost(loss, mode, token));
    }

    @Override
    public ExtensionObserver extension(String lock, LockMode mode) {
        List<ExtensionObserver> told = from(observer -> observer.extension(lock, mode), ExtensionObserver.NONE);
        return told.isEmpty()
                ? ExtensionObserver.NONE
                : (outcome, took) -> tell(told, observer -> observer.ended(outcome, took));
    }

    @Override
    public RequestObserver request(String node, NodeOperation operation) {
        List<RequestObserver> told = from(observer -> observer.request(node, operation), RequestObserver.NONE);
        return told.isEmpty()
                ? RequestObserver.NONE
                : (outcome, took) -> tell(told, observer -> observer.ended(outcome, took));
    }

    private <O> List<O> from(Function<ClientObserver, O> beginning, O none) {
        List<O> told = new ArrayList<>(all.size());
        tell(all, observer -> {
            O next = Objects.requireNonNull(beginning.apply(observer), "what an observer returned");
            if (next != none) {
                told.add(next);
            }
        });
        return told;
    }

    /** Returns whether this thread is in a method of an observer. Such a thread may be a timer's or a node's, which must not wait for the nodes. */
    public static boolean areToldByThisThread() {
        return TELLING.get() != null;
    }

    private static <O> void tell(List<O> observers, Consumer<O> what) {
        Boolean before = TELLING.get();
        TELLING.set(Boolean.TRUE);
        try {
            for (O observer : observers) {
                try {
                    what.accept(observer);
                } catch (RuntimeException | Error e) {
                    LOG.log(
                            Level.ERROR,
                            "An observer failed: " + observer.getClass().getName(),
                            e);
                }
            }
        } finally {
            if (before == null) {
                TELLING.remove();
            }
        }
    }

    private record LeaseObservers(List<LeaseObserver> all) implements LeaseObserver {

        @Override
        public void granted(Lease lease, Duration waited) {
            tell(all, observer -> observer.granted(lease, waited));
        }

        @Override
        public void refused(Refusal refusal) {
            tell(all, observer -> observer.refused(refusal));
        }

        @Override
        public void ended(LeaseEnd end) {
            tell(all, observer -> observer.ended(end));
        }
    }
}
