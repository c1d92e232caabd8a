package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.recipe.MultiLock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Deliveries of which a shipper picks up several at once: all of them or none. No other shipper can get one of them while it does so. */
public final class Deliveries {

    private final Holdfast holdfast;
    private final Map<String, String> shippers = new ConcurrentHashMap<>();

    /** Creates deliveries whose locks are on the nodes of this client. */
    public Deliveries(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    /** Picks up the deliveries for this shipper. Returns false, and picks up none, if another shipper has already picked up one of them. */
    public boolean pickUp(String shipper, List<String> deliveries) throws InterruptedException {
        // recipe:begin
        MultiLock all = holdfast.locks(deliveries.toArray(String[]::new));
        return all.call(Duration.ofSeconds(10), leases -> {
            if (deliveries.stream().anyMatch(shippers::containsKey)) {
                return false;
            }
            deliveries.forEach(delivery -> shippers.put(delivery, shipper));
            return true;
        });
        // recipe:end
    }

    /** Lets two shippers compete for one delivery. The arguments are the nodes; without any, locks are in memory. */
    public static void main(String[] arguments) throws InterruptedException {
        try (Holdfast holdfast = Holdfast.connect(Nodes.orMemory(arguments, 0))) {
            Deliveries deliveries = new Deliveries(holdfast);
            System.out.println("ann: " + deliveries.pickUp("ann", List.of("d1", "d2")));
            System.out.println("bob: " + deliveries.pickUp("bob", List.of("d3", "d2")));
        }
    }
}
