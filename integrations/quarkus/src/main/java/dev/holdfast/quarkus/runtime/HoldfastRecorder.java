package dev.holdfast.quarkus.runtime;

import dev.holdfast.cdi.runtime.LockedMethodData;
import dev.holdfast.cdi.runtime.LockedMethodTable;
import io.quarkus.runtime.RuntimeValue;
import io.quarkus.runtime.annotations.Recorder;
import java.util.List;

/** Carries what the build found into the application. */
@Recorder
public class HoldfastRecorder {

    /** Returns the table of the locked methods. */
    public RuntimeValue<LockedMethodTable> table(List<LockedMethodData> methods) {
        return new RuntimeValue<>(new LockedMethodTable(methods));
    }
}
