package dev.holdfast.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** One request to a node. Only requests of 20 ms or more are recorded, unless the recording sets another threshold. */
@Name("dev.holdfast.NodeRequest")
@Label("Node Request")
@Category("Holdfast")
@Description("From sending a request to a node until the client has handled its answer, or the request has timed out")
@StackTrace(false)
@Threshold("20 ms")
final class NodeRequestEvent extends Event {

    @Label("Node")
    String node = "";

    @Label("Operation")
    @Description("ACQUIRE, EXTEND or RELEASE")
    String operation = "";

    @Label("Outcome")
    @Description("The answer of the node, UNAVAILABLE, or TIMEOUT")
    String outcome = "";
}
