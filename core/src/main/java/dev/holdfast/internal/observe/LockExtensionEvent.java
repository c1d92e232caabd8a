package dev.holdfast.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** One extension of a lease. Only extensions of 20 ms or more are recorded, unless the recording sets another threshold. */
@Name("dev.holdfast.LockExtension")
@Label("Lock Extension")
@Category("Holdfast")
@Description("A request to the nodes to extend a lease")
@StackTrace(false)
@Threshold("20 ms")
final class LockExtensionEvent extends Event {

    @Label("Lock")
    String lock = "";

    @Label("Mode")
    String mode = "";

    @Label("Outcome")
    @Description("EXTENDED, UNCONFIRMED (the client retries) or LOST")
    String outcome = "";
}
