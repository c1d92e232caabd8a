package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.recipe.MultiLock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A shipper picks up several deliveries at once: all of them or none, and nobody else has one of them meanwhile. */
public final class Deliveries {

    private final Holdfast holdfast;
    private final Map<String, String> shippers = new ConcurrentHashMap<>();

    /** Deliveries whose locks are on these nodes. */
    public Deliveries(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    /** Whether this shipper has picked them up; false if another had one of them before. */
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

    /** Two shippers want some of the same. Arguments: the nodes, or none for in memory. */
    public static void main(String[] arguments) throws InterruptedException {
        try (Holdfast holdfast = Holdfast.connect(Nodes.orMemory(arguments, 0))) {
            Deliveries deliveries = new Deliveries(holdfast);
            System.out.println("ann: " + deliveries.pickUp("ann", List.of("d1", "d2")));
            System.out.println("bob: " + deliveries.pickUp("bob", List.of("d3", "d2")));
        }
    }
}
