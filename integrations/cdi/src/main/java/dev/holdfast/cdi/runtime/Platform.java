package dev.holdfast.cdi.runtime;

import dev.holdfast.cdi.LockedMethodException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parts that differ between Quarkus and other containers. Thread-safe. */
public interface Platform {

    /** Returns the settings of the application's client. */
    ClientSettings settings();

    /** Returns the beginning of the names of all settings, with its last dot. */
    String root();

    /** Returns another way to get nodes if none are configured, as a sentence without its full stop; empty for none. */
    String otherNodes();

    /** Returns the name of the application, from which the client's default name is made. */
    Optional<String> applicationName();

    /** Returns the value of a property of the application's configuration. */
    Optional<String> property(String name);

    /**
     * Returns the shortest interval between two runs by all cron expressions of a method together.
     *
     * @throws LockedMethodException if an expression is not valid
     */
    Duration shortestInterval(MethodShape method, List<String> crons);

    /**
     * Rejects a call on a thread that must not be blocked.
     *
     * @throws LockedMethodException if this thread must not be blocked
     */
    void requireBlockingThread(MethodShape method);

    /** Returns the result of a call whose result is of the kind {@link ResultKind#UNI}. */
    @Nullable
    Object subscribable(PendingCall call);
}
