package dev.holdfast.internal.lease;

import static dev.holdfast.Interleavings.require;
import static dev.holdfast.Interleavings.together;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.HandTiming;
import dev.holdfast.Interleavings;
import dev.holdfast.LincheckAgent;
import dev.holdfast.internal.thread.SerialExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A lease's callbacks, which two threads submit and two workers call. */
@ExtendWith(LincheckAgent.class)
@Tag("slow")
class CallbacksRacesTest {

    private static void callbacksNeverMeet(int interleavings, Function<HandTiming, Consumer<Runnable>> made) {
        Interleavings.check(interleavings, () -> {
            HandTiming time = new HandTiming();
            Consumer<Runnable> callbacks = made.apply(time);
            List<String> called = new ArrayList<>(); // not thread-safe: concurrent callbacks would corrupt it
            callbacks.accept(() -> called.add("first"));
            together(
                    () -> {
                        callbacks.accept(() -> called.add("a"));
                        time.work();
                    },
                    () -> {
                        callbacks.accept(() -> called.add("b"));
                        time.work();
                    });
            time.work();
            require(called.size() == 3, "not each was called once: " + called);
            require(called.get(0).equals("first"), "out of order: " + called);
        });
    }

    @Test
    void areCalledOneAfterTheOther() {
        callbacksNeverMeet(200, time -> new Callbacks(time)::run);
    }

    @Test
    void callbacksThatGoToWorkersAsTheyComeAreFound() {
        assertThatThrownBy(() -> callbacksNeverMeet(200, time -> time::execute))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** A listener that is added before the event, and another that is added after it, are each notified once, in any order. */
    @Test
    void everyListenerHearsAnEventOnce() {
        Interleavings.check(200, () -> {
            HandTiming time = new HandTiming();
            SerialExecutor executor = new SerialExecutor();
            Signal<String> signal = new Signal<>(new Callbacks(time));
            List<String> heard = new ArrayList<>();
            together(
                    () -> executor.execute(() -> signal.listen(event -> heard.add("a" + event))),
                    () -> executor.execute(() -> signal.raise("!")),
                    () -> executor.execute(() -> signal.listen(event -> heard.add("b" + event))));
            time.work();
            require(heard.size() == 2 && heard.contains("a!") && heard.contains("b!"), "heard " + heard);
        });
    }
}
