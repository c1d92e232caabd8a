package dev.holdfast.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A lease that was lost. */
@Name("dev.holdfast.LockLoss")
@Label("Lock Loss")
@Category("Holdfast")
@Description("A lease was lost while it was held, or had expired when its holder released it")
@StackTrace(false)
final class LockLossEvent extends Event {

    @Label("Lock")
    String lock = "";

    @Label("Mode")
    String mode = "";

    @Label("Fencing Token")
    long token;

    @Label("Reason")
    @Description("EXPIRED, TAKEN or MAX_HOLD")
    String reason = "";

    @Label("Detail")
    String detail = "";
}
