package dev.holdfast.simulator;

import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.Promises;
import dev.holdfast.node.Seal;
import dev.holdfast.testkit.ManualMachine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The disk of a node that persists its promises. Forced data survives a crash. Data of an unfinished or failed write may survive or not. */
final class SimDisk {

    /**
     * How far ahead the node persists the expiry of votes, so that not every vote needs a write. Production has more votes and persists further
     * ahead.
     */
    private static final long AHEAD_MILLIS = 10;

    private static final long AHEAD_FENCE = FenceFromTime.ofAbsent(AHEAD_MILLIS);

    private static final long QUICK_NANOS = 2_000_000;
    private static final long SLOW_NANOS = 100_000_000;
    private static final double SLOW_SHARE = 0.3;

    private final Schedule schedule;
    private final ManualMachine machine;
    private final int incarnation;
    private final Map<String, Sealed> seals = new LinkedHashMap<>();
    private long untilMillis;
    private long fence;
    private boolean failing;

    /** When the node found its disk empty, by its wall clock; 0 if it had been in use for long. */
    private long newSinceMillis;

    /** Whether a client has ever asked the node for a vote, as far as the disk knows. */
    private boolean asked;

    /** A seal by the wall clock of the node. */
    private record Sealed(String by, long sinceMillis, long untilMillis) {

        /** Returns this seal, with the end of the other if that is later. */
        Sealed orLater(Sealed other) {
            return new Sealed(by, sinceMillis, Math.max(untilMillis, other.untilMillis));
        }
    }

    private record Wish(
            long untilMillis,
            long fence,
            Promises.@Nullable SealedResource toSeal,
            boolean asked,
            long nowMillis,
            CompletableFuture<Void> kept) {}

    private SimDisk(Schedule schedule, ManualMachine machine, int incarnation) {
        this.schedule = schedule;
        this.machine = machine;
        this.incarnation = incarnation;
    }

    /** Returns a disk that has been in use for long, and has nothing on it that still counts. */
    static SimDisk inUse(Schedule schedule, ManualMachine machine) {
        SimDisk disk = new SimDisk(schedule, machine, 0);
        disk.asked = true;
        return disk;
    }

    /** Returns an empty disk. */
    static SimDisk empty(Schedule schedule, ManualMachine machine, int incarnation) {
        SimDisk disk = new SimDisk(schedule, machine, incarnation);
        disk.newSinceMillis = disk.now();
        return disk;
    }

    /** Returns the number that distinguishes this disk from the earlier ones of the node. */
    int incarnation() {
        return incarnation;
    }

    /** Returns whether the disk would still know after a crash that a client has asked for a vote. */
    boolean knowsOfRequests() {
        return asked;
    }

    /** Records that no promise from before this disk was lost, if it is this disk. Returns whether that was recorded. */
    boolean bootstrap(int expected) {
        if (expected != incarnation || failing) {
            return false;
        }
        newSinceMillis = 0;
        return true;
    }

    private long now() {
        return machine.timing().ticker().wallMillis();
    }

    /** Returns for how long the disk has known all votes, which the server reports to its clients. */
    long knownForMillis() {
        return newSinceMillis == 0 ? Long.MAX_VALUE : Math.max(now() - newSinceMillis, 0);
    }

    /** Makes the disk fail: no write succeeds, and some part of each may reach the disk. */
    void fail() {
        failing = true;
    }

    void mend() {
        failing = false;
    }

    /** Forces some of the wishes: the write was cut short, or its force has failed. */
    private void forceSome(List<Wish> wishes) {
        force(wishes.subList(0, schedule.random().nextInt(wishes.size() + 1)));
    }

    private void force(List<Wish> wishes) {
        for (Wish wish : wishes) {
            if (wish.untilMillis > untilMillis) {
                untilMillis = wish.untilMillis + AHEAD_MILLIS;
            }
            if (wish.fence > fence) {
                fence = wish.fence + AHEAD_FENCE;
            }
            asked |= wish.asked;
            if (wish.toSeal != null) {
                Seal seal = wish.toSeal.seal();
                Sealed made = new Sealed(
                        seal.by(),
                        wish.nowMillis - seal.agoMillis(),
                        wish.nowMillis + seal.remainingMillis().orElseThrow());
                seals.merge(wish.toSeal.resource(), made, Sealed::orLater);
            }
        }
    }

    /** The disk as one run of the node sees it: the data that the run finds, and the data that it writes. */
    final class Run implements Promises {

        private final long foundUntilMillis = untilMillis;
        private final long foundFence = fence;

        /** The expiry that this run knows to be on the disk. */
        private long safeUntilMillis = untilMillis;

        private long safeFence = fence;
        private final Map<String, Sealed> safeSeals = new LinkedHashMap<>(seals);
        private boolean safeAsked = asked;
        private boolean wasAsked = asked;
        private List<Wish> wishes = new ArrayList<>();
        private List<Wish> writing = List.of();
        private boolean over;

        /** Notes that a client asks for a vote; {@link #keep} persists that before the vote is given. */
        void noteAsked() {
            wasAsked = true;
        }

        /** Returns whether a client has ever asked the node for a vote. */
        boolean wasAsked() {
            return wasAsked;
        }

        @Override
        public long remainingMillis() {
            return Math.max(foundUntilMillis - now(), 0);
        }

        @Override
        public long fence() {
            return foundFence;
        }

        @Override
        public List<SealedResource> seals() {
            long now = now();
            List<SealedResource> there = new ArrayList<>();
            seals.forEach((resource, seal) -> {
                if (seal.untilMillis > now) {
                    there.add(new SealedResource(
                            resource, new Seal(seal.by, Math.max(now - seal.sinceMillis, 0), seal.untilMillis - now)));
                }
            });
            return there;
        }

        @Override
        public CompletionStage<Void> keep(long votesMillis, long highest, @Nullable SealedResource toSeal) {
            long now = now();
            long until = votesMillis <= 0 ? 0 : now + votesMillis;
            if (isSafe(toSeal, now) && until <= safeUntilMillis && highest <= safeFence && safeAsked == wasAsked) {
                return CompletableFuture.completedFuture(null);
            }
            Wish wish = new Wish(until, highest, toSeal, wasAsked, now, new CompletableFuture<>());
            wishes.add(wish);
            write();
            return wish.kept;
        }

        private boolean isSafe(@Nullable SealedResource toSeal, long now) {
            if (toSeal == null) {
                return true;
            }
            Sealed known = safeSeals.get(toSeal.resource());
            return known != null
                    && known.untilMillis
                            >= now + toSeal.seal().remainingMillis().orElseThrow();
        }

        private void write() {
            if (writing.isEmpty() && !wishes.isEmpty() && !over) {
                writing = wishes;
                wishes = new ArrayList<>();
                long most = schedule.chance(SLOW_SHARE) && !schedule.isCalm() ? SLOW_NANOS : QUICK_NANOS;
                machine.timing().scheduler().schedule(schedule.random().nextLong(most), this::completeForce);
            }
        }

        private void completeForce() {
            List<Wish> done = writing;
            writing = List.of();
            if (over) {
                return;
            }
            if (failing) {
                schedule.count(Count.NOT_FORCED);
                forceSome(done);
                done.forEach(wish -> wish.kept.completeExceptionally(new IOException("the disk is full")));
            } else {
                schedule.count(Count.FORCED);
                force(done);
                safeUntilMillis = Math.max(safeUntilMillis, untilMillis);
                safeFence = Math.max(safeFence, fence);
                safeSeals.putAll(seals);
                safeAsked = asked;
                done.forEach(wish -> wish.kept.complete(null));
            }
            write();
        }

        @Override
        public void settle(long votesMillis, long highest) {
            over = true;
            if (failing) {
                return; // the next run is in quarantine for as long as after a crash
            }
            force(writing);
            force(wishes);
            untilMillis = votesMillis <= 0 ? 0 : now() + votesMillis;
            fence = Math.max(foundFence, highest);
            asked = wasAsked;
        }

        /** Ends the run. Data of an unfinished write may survive or not. */
        void crash() {
            if (!over && schedule.chance(0.5)) {
                force(writing);
            }
            over = true;
        }
    }

    /** Opens the disk for a node that starts. */
    Run open() {
        return new Run();
    }
}
