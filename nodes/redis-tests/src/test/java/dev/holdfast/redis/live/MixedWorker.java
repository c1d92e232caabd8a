package dev.holdfast.redis.live;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.lock.Lease;
import dev.holdfast.recipe.OnceGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;

/**
 * A process that shares locks and work with processes of another version: it may use only what both versions have.
 *
 * <p>It adds to a counter under an exclusive lock, and checks under a shared one that no other process is adding. Each piece of work it does under the
 * once-guard is a line in another file.
 */
public final class MixedWorker {

    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final Duration RETENTION = Duration.ofMinutes(10);

    private MixedWorker() {}

    /** Arguments: the counter, the file of works, how often to add and how many works there are, the nodes. */
    public static void main(String[] args) throws InterruptedException, IOException {
        Path counter = Path.of(args[0]);
        Path works = Path.of(args[1]);
        int rounds = Integer.parseInt(args[2]);
        String[] nodes = Arrays.copyOfRange(args, 3, args.length);
        try (Holdfast holdfast = LiveNodes.settings(nodes).connect()) {
            for (int done = 0; done < rounds; ) {
                try {
                    add(holdfast, counter);
                    done++;
                } catch (HoldfastException e) { // nothing is written yet
                    System.err.println("goes on after: " + e.getMessage());
                }
                read(holdfast, counter);
            }
            for (int work = 0; work < rounds; ) {
                String line = "work-" + work;
                try {
                    OnceGuard.Outcome<Boolean> outcome = holdfast.once(line, RETENTION)
                            .run(
                                    WAIT,
                                    lease -> Files.writeString(
                                            works, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND));
                    work += outcome instanceof OnceGuard.Busy<Boolean> ? 0 : 1;
                } catch (HoldfastException e) {
                    System.err.println("goes on after: " + e.getMessage());
                }
            }
        }
    }

    private static void add(Holdfast holdfast, Path counter) throws InterruptedException, IOException {
        try (Lease lease = holdfast.lock("counter").acquire(WAIT)) {
            long value = Long.parseLong(Files.readString(counter).strip());
            lease.ensureHeld();
            Files.writeString(counter, ""); // a process that reads it now reads nothing
            Files.writeString(counter, Long.toString(value + 1));
        }
    }

    private static void read(Holdfast holdfast, Path counter) throws InterruptedException, IOException {
        try (Lease lease = holdfast.lock("counter").shared().acquire(WAIT)) {
            String text = Files.readString(counter);
            if (lease.isHeld() && text.isEmpty()) {
                throw new IllegalStateException("somebody writes while " + lease + " is held");
            }
        } catch (HoldfastException e) {
            System.err.println("goes on after: " + e.getMessage());
        }
    }
}
