package dev.holdfast.walk;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs {@link FreeAcquire} under the debugger interface of the JDK, and records which methods of Holdfast run while it acquires: on every thread, from the
 * call to the answer.
 */
final class MethodTrace {

    private final Map<String, String> firstMethods = new LinkedHashMap<>();
    private boolean ended;

    private MethodTrace() {}

    /** Returns the source files in the order in which they are entered, each with the method that is entered first. */
    static Map<String, String> ofFreeAcquire(String node) throws Exception {
        MethodTrace trace = new MethodTrace();
        VirtualMachine machine = launch(FreeAcquire.class.getName() + " " + node);
        try {
            trace.watch(machine);
            if (!trace.ended) {
                String said = new String(machine.process().getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
                throw new IllegalStateException("The program ended before its acquire did: " + said);
            }
        } finally {
            machine.process().destroyForcibly().waitFor();
        }
        return trace.firstMethods;
    }

    private static VirtualMachine launch(String program) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("main").setValue(program);
        arguments.get("options").setValue("-cp \"" + System.getProperty("java.class.path") + "\"");
        return connector.launch(arguments);
    }

    private void watch(VirtualMachine machine) throws InterruptedException {
        ClassPrepareRequest loaded = machine.eventRequestManager().createClassPrepareRequest();
        loaded.addClassFilter(FreeAcquire.class.getName());
        loaded.enable();
        MethodEntryRequest walk = machine.eventRequestManager().createMethodEntryRequest();
        walk.addClassFilter("dev.holdfast.*");
        walk.addClassExclusionFilter(FreeAcquire.class.getName());
        walk.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        while (!ended) {
            EventSet events = machine.eventQueue().remove();
            for (Event event : events) {
                if (event instanceof ClassPrepareEvent prepared) {
                    stopAt(prepared.referenceType(), "begins");
                    stopAt(prepared.referenceType(), "ends");
                } else if (event instanceof BreakpointEvent mark) {
                    ended = mark.location().method().name().equals("ends");
                    walk.setEnabled(!ended);
                } else if (event instanceof MethodEntryEvent entry) {
                    record(entry.method());
                } else if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
                    return;
                }
            }
            if (events.suspendPolicy() != EventRequest.SUSPEND_NONE) {
                events.resume();
            }
        }
    }

    private static void stopAt(ReferenceType type, String method) {
        type.virtualMachine()
                .eventRequestManager()
                .createBreakpointRequest(type.methodsByName(method).get(0).location())
                .enable();
    }

    private void record(Method method) {
        try {
            firstMethods.putIfAbsent(method.declaringType().sourcePaths(null).get(0), method.name());
        } catch (AbsentInformationException e) {
            // A class that the JVM made for a lambda has no source. The lambda's body counts for the file that has it.
        }
    }
}
