package dev.holdfast.redis.live;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.NoQuorumException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A process that adds to a counter in a plain file, by reading, adding and writing under a lock. */
public final class CounterWorker {

    private CounterWorker() {}

    /** Arguments: the file, how often to add, the quarantine in milliseconds, the nodes. */
    public static void main(String[] args) throws InterruptedException, IOException {
        Path file = Path.of(args[0]);
        int rounds = Integer.parseInt(args[1]);
        String[] nodes = java.util.Arrays.copyOfRange(args, 3, args.length);
        try (Holdfast holdfast = LiveNodes.settings(nodes)
                .restartQuarantine(Duration.ofMillis(Long.parseLong(args[2])))
                .connect()) {
            for (int done = 0; done < rounds; ) {
                try (Lease lease = holdfast.lock("counter").acquire(Duration.ofSeconds(60))) {
                    long value = Long.parseLong(Files.readString(file).strip());
                    lease.ensureHeld();
                    Files.writeString(file, Long.toString(value + 1));
                    done++;
                } catch (NoQuorumException | LeaseLostException e) { // nothing is written yet
                    System.err.println("goes on after: " + e.getMessage());
                }
            }
        }
    }
}
