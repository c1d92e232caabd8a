package dev.holdfast.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** One attempt to acquire a lock. Only attempts of 20 ms or more are recorded, unless the recording sets another threshold. */
@Name("dev.holdfast.LockWait")
@Label("Lock Wait")
@Category("Holdfast")
@Description("From asking for a lock until it was acquired or refused")
@StackTrace(false)
@Threshold("20 ms")
final class LockWaitEvent extends Event {

    @Label("Lock")
    String lock = "";

    @Label("Mode")
    String mode = "";

    @Label("Outcome")
    @Description("ACQUIRED, or why not")
    String outcome = "";

    @Label("Detail")
    @Description("The answer of every node, if the attempt was refused")
    String detail = "";

    @Label("Fencing Token")
    @Description("0 if it was refused")
    long token;

    @Label("Asking Thread")
    Thread asker = Thread.currentThread();
}
