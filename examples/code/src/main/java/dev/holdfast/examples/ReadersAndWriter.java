package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.Lease;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A price list with many concurrent readers and one writer. No reader sees it half changed. */
public final class ReadersAndWriter {

    private final DistributedLock lock;
    private final Map<String, Integer> prices = new TreeMap<>();

    /** Creates a price list whose lock is on the nodes of this client. */
    public ReadersAndWriter(Holdfast holdfast) {
        this.lock = holdfast.lock("prices");
    }

    /** Returns the sum of all prices. */
    public int sum() throws InterruptedException {
        // recipe:begin
        try (Lease reading = lock.shared().acquire(Duration.ofSeconds(10))) { // with other readers
            return prices.values().stream().mapToInt(Integer::intValue).sum();
        }
        // recipe:end
    }

    /** Moves an amount from the price of one item to the price of another. */
    public void move(String from, String to, int amount) throws InterruptedException {
        // recipe:begin
        try (Lease writing = lock.acquire(Duration.ofSeconds(10))) { // alone; it queues, so readers cannot starve it
            prices.merge(from, -amount, Integer::sum);
            prices.merge(to, amount, Integer::sum);
        }
        // recipe:end
    }

    /** Changes the list and reads it. The arguments are the nodes; without any, locks are in memory. */
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
