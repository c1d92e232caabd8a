package dev.holdfast.redis.live;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.lock.NoQuorumException;
import dev.holdfast.recipe.OnceGuard;
import dev.holdfast.redis.live.MessageStream.Delivery;
import dev.holdfast.redis.live.OnceHistory.Entry;
import dev.holdfast.redis.live.OnceHistory.Step;
import io.lettuce.core.RedisClient;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A process that does messages under the once-guard, and records each step. The test may kill it at any of them. */
public final class OnceWorker {

    /** Longer than the test runs. */
    private static final Duration RETENTION = Duration.ofHours(2);

    private static final int THREADS = 4;
    private static final int BATCH = 10;
    private static final int LONGEST_WORK_NANOS = 1_500_000;

    private final Holdfast holdfast;
    private final MessageStream source;
    private final OutputStream history;
    private final String name;
    private final Random random;

    private OnceWorker(Holdfast holdfast, MessageStream source, OutputStream history, String name, long seed) {
        this.holdfast = holdfast;
        this.source = source;
        this.history = history;
        this.name = name;
        this.random = new Random(seed);
    }

    /** Arguments: its name, a seed, the file of its history, the server with the messages, the nodes. Ends when its input is closed. */
    public static void main(String[] args) throws Exception {
        String[] nodes = Arrays.copyOfRange(args, 4, args.length);
        AtomicBoolean stopped = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (RedisClient server = RedisClient.create(args[3]);
                Holdfast holdfast = LiveNodes.settings(nodes).connect();
                OutputStream history = new FileOutputStream(args[2], true)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String name = args[0] + "-" + i;
                long seed = Long.parseLong(args[1]) + i;
                running.add(threads.submit(() -> {
                    try (MessageStream source = new MessageStream(server)) {
                        new OnceWorker(holdfast, source, history, name, seed).workUntil(stopped);
                    }
                    return null;
                }));
            }
            while (System.in.read() >= 0) { // also ends when the test is killed
                continue;
            }
            stopped.set(true);
            for (Future<?> one : running) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void workUntil(AtomicBoolean stopped) throws InterruptedException {
        while (!stopped.get()) {
            for (Delivery delivery : source.next(name, BATCH)) {
                try {
                    if (done(delivery.message())) {
                        source.acknowledge(delivery);
                    }
                } catch (NoQuorumException | LeaseLostException e) {
                    System.err.println("goes on after: " + e.getMessage());
                }
            }
        }
    }

    /** Whether the message is done for good; else it stays with its source, and comes again. */
    private boolean done(String message) throws InterruptedException {
        OnceGuard.Outcome<Boolean> outcome = holdfast.once("message:" + message, RETENTION)
                .run(Duration.ZERO, lease -> {
                    long began = System.nanoTime();
                    lease.ensureHeld(); // one who stood still since it was granted is a matter for fencing tokens
                    write(Step.BEGAN, message, began);
                    LockSupport.parkNanos(random.nextInt(LONGEST_WORK_NANOS)); // the work
                    write(Step.ENDED, message, System.nanoTime());
                    LockSupport.parkNanos(
                            random.nextInt(LONGEST_WORK_NANOS)); // so that kills come between work and seal
                });
        long told = System.nanoTime();
        if (outcome instanceof OnceGuard.Done<Boolean> done) {
            Step step = switch (done.seal()) {
                case SEALED -> Step.SEALED;
                case SEALED_LATE -> Step.SEALED_LATE;
                case UNCONFIRMED, RELEASED_BEFORE -> Step.UNSEALED;
            };
            write(step, message, told);
            return step != Step.UNSEALED;
        }
        if (outcome instanceof OnceGuard.AlreadyDone<?>) {
            write(Step.ALREADY_DONE, message, told);
            return true;
        }
        return false;
    }

    /** One write to the file, without a buffer: what is written stays when this process is killed. */
    private void write(Step step, String message, long nanos) {
        try {
            history.write(new Entry(step, message, name, nanos).line().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
