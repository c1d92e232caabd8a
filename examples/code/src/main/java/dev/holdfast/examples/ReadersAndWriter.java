package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Many read a price list at the same time, one changes it, and nobody reads it half changed. */
public final class ReadersAndWriter {

    private final DistributedLock lock;
    private final Map<String, Integer> prices = new TreeMap<>();

    /** A price list whose lock is on these nodes. */
    public ReadersAndWriter(Holdfast holdfast) {
        this.lock = holdfast.lock("prices");
    }

    /** The sum of all prices. */
    public int sum() throws InterruptedException {
        // recipe:begin
        try (Lease reading = lock.shared().acquire(Duration.ofSeconds(10))) { // with other readers
            return prices.values().stream().mapToInt(Integer::intValue).sum();
        }
        // recipe:end
    }

    /** Moves so much of the price of one thing to another. */
    public void move(String from, String to, int amount) throws InterruptedException {
        // recipe:begin
        try (Lease writing = lock.acquire(Duration.ofSeconds(10))) { // alone; in the queue, so it is not starved
            prices.merge(from, -amount, Integer::sum);
            prices.merge(to, amount, Integer::sum);
        }
        // recipe:end
    }

    /** Changes and reads it. Arguments: the nodes, or none for in memory. */
    public static void main(String[] arguments) throws InterruptedException {
        try (Holdfast holdfast = Holdfast.connect(Nodes.orMemory(arguments, 0))) {
            ReadersAndWriter list = new ReadersAndWriter(holdfast);
            for (int i = 0; i < 10; i++) {
                list.move("bolt", "nut", i);
            }
            System.out.println("the sum is " + list.sum());
        }
    }
}
