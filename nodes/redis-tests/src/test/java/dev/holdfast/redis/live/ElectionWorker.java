package dev.holdfast.redis.live;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.election.Candidacy;
import dev.holdfast.election.Candidate;
import dev.holdfast.election.Leadership;
import dev.holdfast.lock.Loss;
import dev.holdfast.testkit.Stalls;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that stands for election, and records its belief: every call of {@code isLeader} that said yes, with the monotonic clock before and after. All
 * processes of a machine share that clock. Written records survive a kill.
 */
public final class ElectionWorker implements Candidate {

    static final String ELECTION = "scheduler";

    private static final long LOOK_NANOS = 500_000;

    private static final long RECENTLY_NANOS = 300_000_000;

    private final Stalls stalls;
    private final OutputStream events;
    private final OutputStream beliefs;

    private ElectionWorker(Path folder, String candidateName, Stalls stalls) throws IOException {
        this.stalls = stalls;
        this.events = new FileOutputStream(events(folder, candidateName).toFile());
        this.beliefs = new FileOutputStream(beliefs(folder, candidateName).toFile());
    }

    static Path events(Path folder, String candidateName) {
        return folder.resolve(candidateName + ".events");
    }

    static Path beliefs(Path folder, String candidateName) {
        return folder.resolve(candidateName + ".beliefs");
    }

    /**
     * Arguments: the folder, the candidate's name, the ttl in milliseconds, the nodes. Input: {@code down}, {@code hand NAME}, {@code exit}, one
     * in a line; its end is an exit too.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Duration ttl = Duration.ofMillis(Long.parseLong(args[2]));
        String[] nodes = Arrays.copyOfRange(args, 3, args.length);
        try (Stalls stalls = new Stalls()) {
            ElectionWorker worker = new ElectionWorker(Path.of(args[0]), args[1], stalls);
            worker.stand(settings(ttl, nodes).clientName(args[1]));
        }
    }

    private void stand(HoldfastBuilder settings) throws IOException, InterruptedException {
        try (Holdfast holdfast = settings.connect();
                Candidacy candidacy = holdfast.election(ELECTION).stand(this)) {
            tell("stands");
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String order = orders.readLine(); order != null && !order.equals("exit"); order = orders.readLine()) {
                String[] words = order.split(" ");
                candidacy
                        .leadership()
                        .ifPresent(
                                words[0].equals("hand")
                                        ? leadership -> leadership.handOverTo(words[1])
                                        : Leadership::stepDown);
            }
        }
    }

    static HoldfastBuilder settings(Duration ttl, String... nodes) {
        return Holdfast.builder()
                .nodes(nodes)
                .lockOptions(options -> options.ttl(ttl).waiterTtl(ttl))
                .restartQuarantine(ttl)
                .fenceRetention(ttl.plusSeconds(1));
    }

    @Override
    public void onElected(Leadership leadership) throws InterruptedException {
        boolean told = false;
        String line = leadership.term() + " ";
        while (!Thread.currentThread().isInterrupted()) {
            long before = System.nanoTime();
            boolean leads = leadership.isLeader();
            long after = System.nanoTime();
            if (leads) {
                write(beliefs, line + before + " " + after + "\n");
            }
            if (leads && !told) { // not before it is recorded: the process that reads this may kill this one at once
                told = true;
                tell("elected " + leadership.term());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        tell("ended " + leadership.term());
        throw new InterruptedException();
    }

    @Override
    public void onRevoked(Leadership leadership, Loss loss) {
        long left = leadership.lease().remaining().toNanos();
        long now = System.nanoTime();
        tell(now, "revoked " + leadership.term() + " " + left + " " + longestStallBefore(now) + " " + loss.reason());
    }

    private long longestStallBefore(long now) {
        try {
            return stalls.longestBetween(now - RECENTLY_NANOS, now).toNanos();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    @Override
    public void onError(Throwable failure) {
        tell("error " + failure);
    }

    private void tell(String event) {
        tell(System.nanoTime(), event);
    }

    private void tell(long when, String event) {
        write(events, when + " " + event + "\n");
    }

    private static void write(OutputStream file, String line) {
        try {
            file.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
