package dev.holdfast.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** One time that a lock was held. Only holds of 20 ms or more are recorded, unless the recording sets another threshold. */
@Name("dev.holdfast.LockHold")
@Label("Lock Hold")
@Category("Holdfast")
@Description("From acquiring a lock until it was released or lost")
@StackTrace(false)
@Threshold("20 ms")
final class LockHoldEvent extends Event {

    @Label("Lock")
    String lock = "";

    @Label("Mode")
    String mode = "";

    @Label("Fencing Token")
    long token;

    @Label("Outcome")
    @Description("RELEASED, SEALED, LOST or KEPT")
    String outcome = "";

    @Label("Remaining")
    @Description("How much longer the lease would have been valid")
    @Timespan
    long remaining;
}
