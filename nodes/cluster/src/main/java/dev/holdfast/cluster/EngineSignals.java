package dev.holdfast.cluster;

import com.alipay.sofa.jraft.core.NodeImpl;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;

/**
 * The signals of the process, which the engine must leave alone. The engine takes SIGUSR2, and writes reports into the working directory at each one. HotSpot
 * suspends threads by SIGUSR2 when its flight recorder samples them. So a recording would show no samples, and the server would write files all the time.
 */
final class EngineSignals {

    private static final Logger LOG = System.getLogger(EngineSignals.class.getName());

    private EngineSignals() {}

    /** Loads the engine, and gives SIGUSR2 back to its former handler. Has no effect if the engine is loaded already. */
    static synchronized void release() {
        try { // by reflection, since a compiler must warn of sun.misc
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Method handle = signalType.getMethod("handle", signalType, handlerType);
            Object signal = signalType.getConstructor(String.class).newInstance("USR2");
            Object former =
                    handle.invoke(null, signal, handlerType.getField("SIG_IGN").get(null));
            try {
                Class.forName(NodeImpl.class.getName()); // its initializer takes the signal
            } finally {
                handle.invoke(null, signal, former);
            }
        } catch (
                ReflectiveOperationException
                        e) { // a system without the signal, or a JVM that keeps it: then the engine cannot take it
            // either
            LOG.log(Level.DEBUG, "The handler of SIGUSR2 stays as it is", e);
        }
    }
}
