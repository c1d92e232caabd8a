package dev.holdfast.simulator;

import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.DistributedLock;
import dev.holdfast.lock.ExtendOutcome;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.ReleaseOutcome;
import dev.holdfast.node.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A worker that acquires locks as an HTTP client of several lock servers does. Any client of the schedule may serve any of its requests, and adopts the lease if
 * another one has granted it. The worker believes that it holds the lease as long as one of them does. Watches {@link Promise#ENDS_EVERYWHERE}.
 */
final class MovingWorker extends Worker {

    private static final long LOOK_MILLIS = 100;

    /** The leases of the present turn, one for each client that serves it. */
    private List<Part> parts = new ArrayList<>();

    /** One client's part of a lease. */
    private static final class Part {

        final SimClient server;
        final Lease lease;

        Part(SimClient server, Lease lease) {
            this.server = server;
            this.lease = lease;
        }

        boolean isHeld() {
            return server.isAlive() && lease.isHeld();
        }
    }

    MovingWorker(Schedule schedule, SimClient client) {
        super(schedule, client);
    }

    private DistributedLock at(SimClient server, Turn turn) {
        return server.holdfast()
                .lock(turn.lock.name())
                .mode(turn.mode)
                .ttl(ttl(turn))
                .autoExtend(false)
                .localHandOver(false);
    }

    private Duration ttl(Turn turn) {
        return Duration.ofMillis(schedule.ttlMillis(turn.lock, turn.wish.ttlMillis()));
    }

    @Override
    void ask(Turn turn, Duration wait) {
        SimClient server = schedule.anyClient();
        List<Part> made = new ArrayList<>();
        parts = made;
        turn.belief = () -> made.stream().anyMatch(Part::isHeld);
        DistributedLock wanted = at(server, turn);
        server.begin(
                turn,
                () -> wanted.tryAcquireAsync(wait).thenAccept(acquisition -> came(turn, server, made, acquisition)));
        lookAfter(turn, server);
    }

    /** Ends a turn whose server has died before it answered. */
    private void lookAfter(Turn turn, SimClient server) {
        client.after(LOOK_MILLIS, () -> {
            if (turn.stage == Turn.Stage.ASKING) {
                if (server.isAlive()) {
                    lookAfter(turn, server);
                } else {
                    refused(turn, "its server has died");
                }
            }
        });
    }

    private void came(Turn turn, SimClient server, List<Part> made, Acquisition acquisition) {
        if (turn.stage != Turn.Stage.ASKING) { // the worker has died
            if (acquisition.isHeld()) {
                acquisition.lease().releaseAsync();
            }
            return;
        }
        if (!acquisition.isHeld()) {
            refused(turn, acquisition);
            return;
        }
        Lease lease = acquisition.lease();
        lease.share();
        made.add(new Part(server, lease));
        turn.token = lease.fencingToken();
        turn.owner = server.owner(OwnerId.parse(lease.owner()).orElseThrow().attempt());
        work(turn);
        for (int move = random.nextInt(6); move > 0; move--) {
            client.after(random.nextLong(turn.wish.ttlMillis()), () -> move(turn, made));
        }
    }

    /** Uses the lease at any client, which adopts it if it does not know it, and mostly extends it there. */
    private void move(Turn turn, List<Part> made) {
        SimClient server = schedule.anyClient();
        if (turn.stage != Turn.Stage.HELD || made.isEmpty()) {
            return;
        }
        Part known = at(server, made);
        if (known != null && known.isHeld()) {
            extend(turn, known);
            return;
        }
        Lease first = made.get(0).lease;
        at(server, turn).adoptAsync(first.share()).thenAccept(lease -> {
            schedule.count(Count.ADOPTIONS);
            Part part = new Part(server, lease);
            if (turn.stage != Turn.Stage.HELD) {
                lease.abandon();
                return;
            }
            made.removeIf(other -> other.server == server);
            made.add(part);
            if (schedule.chance(0.5)) {
                extend(turn, part);
            }
        });
    }

    private static @Nullable Part at(SimClient server, List<Part> made) {
        return made.stream().filter(part -> part.server == server).findFirst().orElse(null);
    }

    @Override
    void extend(Turn turn) {
        if (turn.stage == Turn.Stage.HELD && !parts.isEmpty()) {
            extend(turn, schedule.any(parts));
        }
    }

    private void extend(Turn turn, Part part) {
        part.lease.extendAsync(ttl(turn)).thenAccept(outcome -> {
            if (outcome == ExtendOutcome.EXTENDED) {
                schedule.count(Count.EXTENSIONS);
            }
        });
    }

    @Override
    void giveBack(Turn turn) {
        List<Part> made = parts;
        List<Part> held = made.stream().filter(Part::isHeld).toList();
        if (held.isEmpty()) {
            return;
        }
        Part by = schedule.any(held);
        by.lease.releaseAsync().thenAccept(outcome -> {
            if (outcome == ReleaseOutcome.RELEASED) {
                checkEnded(turn, made, by);
            }
        });
    }

    /** Checks that no client revives the lease. Leaves out NL: these leases have no fence, and an extension is the same as a new request. */
    private void checkEnded(Turn turn, List<Part> made, Part by) {
        if (turn.token == 0) {
            return;
        }
        for (Part other : made) {
            if (other != by && other.isHeld()) {
                other.lease.extendAsync(ttl(turn)).thenAccept(outcome -> {
                    if (outcome == ExtendOutcome.EXTENDED) {
                        schedule.broken(Promise.ENDS_EVERYWHERE, turn + " is extended after its release");
                    }
                });
            }
        }
        SimClient another = schedule.anyClient();
        if (at(another, made) == null) {
            Lease lease = Objects.requireNonNull(made.get(0)).lease;
            at(another, turn)
                    .adoptAsync(lease.share())
                    .thenAccept(adopted ->
                            schedule.broken(Promise.ENDS_EVERYWHERE, turn + " is adopted after its release"));
        }
    }
}
