package dev.holdfast.cli.process;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The signals that other processes and the terminal send to this process. Before the command runs, signals that end programs interrupt the waiting
 * thread. While it runs, they and the signals to which programs give their own meaning are passed on to it. Thread-safe.
 *
 * <p>A signal that was ignored when this process started stays ignored, as {@code nohup} and shells expect.
 */
public final class Signals implements AutoCloseable {

    private static final List<String> ENDING = List.of("HUP", "INT", "TERM");
    private static final List<String> OTHERS = List.of("USR1", "USR2", "ALRM", "WINCH", "CONT");

    private final Thread waiting;
    private final Map<String, Object> before = new LinkedHashMap<>();
    private @Nullable Consumer<String> receiver;
    private final List<String> kept = new ArrayList<>();
    private boolean keeping;
    private int number;
    private boolean deaf;
    private @Nullable Consumer<String> others;

    private Signals(Thread waiting) {
        this.waiting = waiting;
    }

    /** A task that a signal may end. */
    @FunctionalInterface
    public interface Task {
        int run(Signals signals) throws InterruptedException;
    }

    /** Runs a task on this thread and returns its exit code. Returns the signal's exit code if a signal arrived and the task was interrupted or failed. */
    public static int ending(Task task) {
        try (Signals signals = interruptingThisThread()) {
            try {
                return task.run(signals);
            } catch (InterruptedException e) {
                return ExitCode.SIGNAL + signals.number();
            } catch (Failure e) {
                if (signals.number() != 0) {
                    return ExitCode.SIGNAL + signals.number();
                }
                throw e;
            }
        }
    }

    /** Lets signals interrupt the calling thread from now on. */
    public static Signals interruptingThisThread() {
        Signals signals = new Signals(Thread.currentThread());
        ENDING.forEach(signals::take);
        return signals;
    }

    /** Keeps signals for the command, which is about to start. Returns false if a signal has already arrived; the command must not start then. */
    public synchronized boolean keep() {
        if (number == 0) {
            keeping = true;
            OTHERS.forEach(this::take);
        }
        return keeping;
    }

    /** Passes signals to the command from now on, beginning with the kept ones. */
    public synchronized void passTo(Consumer<String> command) {
        receiver = command;
        kept.forEach(command);
    }

    /** Passes signals to which programs give their own meaning to the command from now on. The other signals still interrupt the thread. */
    public synchronized void passOthersTo(Consumer<String> command) {
        others = command;
        OTHERS.forEach(this::take);
    }

    /** Ignores signals from now on: the command has ended, and releasing the lock takes only a moment. */
    public synchronized void ignore() {
        deaf = true;
    }

    /** Returns the number of the signal that ended the wait; 0 if there was none. */
    public synchronized int number() {
        return number;
    }

    private synchronized void arrived(String name, int signalNumber) {
        if (deaf) {
            return;
        }
        if (others != null && OTHERS.contains(name)) {
            others.accept(name);
        } else if (receiver != null) {
            receiver.accept(name);
        } else if (keeping) {
            kept.add(name);
        } else if (number == 0) {
            number = signalNumber;
            waiting.interrupt();
        }
    }

    @Override
    public synchronized void close() {
        before.forEach(Signals::restore);
    }

    // ---- sun.misc.Signal, by reflection: the compiler's warning about it cannot be switched off, and warnings are
    // errors here

    private void take(String name) {
        try {
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object handler = Proxy.newProxyInstance(
                    handlerType.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                        if (!method.getName().equals("handle")) {
                            return method.invoke(this, arguments);
                        }
                        Object signal = arguments[0];
                        arrived(name, (int)
                                signal.getClass().getMethod("getNumber").invoke(signal));
                        return null;
                    });
            Object old = install(name, handler);
            if (old == handlerType.getField("SIG_IGN").get(null)) {
                install(name, old);
            } else {
                before.put(name, old);
            }
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // This JVM does not support handling this signal, which keeps its usual effect.
        }
    }

    private static void restore(String name, Object handler) {
        try {
            install(name, handler);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the handler of " + name + " cannot be restored", e);
        }
    }

    private static Object install(String name, Object handler) throws ReflectiveOperationException {
        Class<?> signalType = Class.forName("sun.misc.Signal");
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        Object signal = signalType.getConstructor(String.class).newInstance(name);
        return signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, handler);
    }
}
