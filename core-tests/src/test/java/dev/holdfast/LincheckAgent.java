package dev.holdfast;

import net.bytebuddy.agent.ByteBuddyAgent;
import org.jetbrains.lincheck.jvm.agent.InstrumentationMode;
import org.jetbrains.lincheck.jvm.agent.LincheckInstrumentation;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Instruments classes for Lincheck once for each class of tests. Lincheck alone does so for each test, and restores the classes after it. Every test then
 * starts with hundreds of classes to rewrite and with no compiled code, which takes many times as long as the interleavings themselves.
 *
 * <p>Every class that uses Lincheck needs this extension: once an agent is attached this way, Lincheck instruments nothing itself.
 */
public final class LincheckAgent implements BeforeAllCallback, AfterAllCallback {

    @Override
    public void beforeAll(ExtensionContext context) {
        LincheckInstrumentation lincheck = LincheckInstrumentation.INSTANCE;
        if (!lincheck.isInitialized()) {
            lincheck.attachJavaAgentStatically(ByteBuddyAgent.install());
        }
        lincheck.install(InstrumentationMode.MODEL_CHECKING);
    }

    /** Lets the other tests of the process run without the instrumentation, which would make them slow. */
    @Override
    public void afterAll(ExtensionContext context) {
        LincheckInstrumentation.INSTANCE.uninstall();
    }
}
