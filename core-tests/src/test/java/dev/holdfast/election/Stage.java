package dev.holdfast.election;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.lock.Loss;
import dev.holdfast.testkit.FakeClient;
import dev.holdfast.testkit.FakeCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * Candidates of an election in a time that a test moves. Only the leaders' work runs on real threads, and waits there until the test ends it; a test waits
 * for its actions while time stands still.
 */
final class Stage implements AutoCloseable {

    static final Duration TTL = Duration.ofSeconds(10);

    private static final Duration REAL_PATIENCE = Duration.ofSeconds(20);

    final FakeCluster cluster;
    final String name = "scheduler";
    private final List<Actor> actors = new ArrayList<>();

    Stage(int servers) {
        cluster = new FakeCluster(servers);
    }

    /** The work of a leader. */
    interface Part {
        void play(Leadership leadership) throws Exception;
    }

    /** A candidate that records its notifications, and whose work lasts until the test ends it, or an interrupt does. */
    final class Actor implements Candidate {

        final FakeClient client;
        final Election election;
        final List<Leadership> led = new CopyOnWriteArrayList<>();
        final List<Loss> losses = new CopyOnWriteArrayList<>();
        final List<Leadership> contended = new CopyOnWriteArrayList<>();
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final List<String> course = new CopyOnWriteArrayList<>();
        final AtomicInteger interrupts = new AtomicInteger();
        final AtomicInteger threads = new AtomicInteger();
        final AtomicInteger atWork = new AtomicInteger();
        final AtomicInteger mostAtWork = new AtomicInteger();
        private final Semaphore exits = new Semaphore(0);
        volatile Part part = leadership -> exits.acquire();
        volatile Runnable whenRevoked = () -> {};
        volatile Runnable whenContended = () -> {};
        Candidacy candidacy;

        Actor(FakeClient client, String candidateName) {
            this.client = client;
            this.election = client.holdfast().election(name).ttl(TTL).candidateName(candidateName);
            client.machine().threads(this::start);
        }

        private void start(String thread, Runnable task) {
            threads.incrementAndGet();
            new Thread(
                            () -> {
                                task.run();
                                threads.decrementAndGet();
                            },
                            thread)
                    .start();
        }

        /** Returns whether the candidate's work has ended, and all listeners have been notified. */
        boolean rests() {
            return threads.get() == 0;
        }

        Actor stand() {
            candidacy = election.stand(this);
            cluster.world().drain();
            return this;
        }

        /** Lets the candidate's work end without an interrupt. */
        void exit() {
            exits.release();
        }

        /** Waits, within a part of the work, until the test lets the work end. */
        void awaitExit() throws InterruptedException {
            exits.acquire();
        }

        /** Makes the work continue despite every interrupt, until the test ends it. */
        Actor ignoresInterrupts() {
            part = leadership -> exits.acquireUninterruptibly();
            return this;
        }

        boolean leads() {
            return candidacy.leadership().isPresent();
        }

        Leadership leadership() {
            return led.get(led.size() - 1);
        }

        @Override
        public void onElected(Leadership leadership) throws Exception {
            mostAtWork.accumulateAndGet(atWork.incrementAndGet(), Math::max);
            course.add("begins");
            led.add(leadership);
            try {
                part.play(leadership);
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
                throw e;
            } finally {
                course.add("ends");
                atWork.decrementAndGet();
            }
        }

        @Override
        public void onRevoked(Leadership leadership, Loss loss) {
            losses.add(loss);
            whenRevoked.run();
        }

        @Override
        public void onContended(Leadership leadership) {
            contended.add(leadership);
            whenContended.run();
        }

        @Override
        public void onError(Throwable failure) {
            course.add("error");
            errors.add(failure);
        }
    }

    Actor actor(String candidateName) {
        return actor(candidateName, settings -> settings);
    }

    Actor actor(String candidateName, UnaryOperator<HoldfastBuilder> settings) {
        return actor(cluster.client(candidateName, settings), candidateName);
    }

    Actor actor(FakeClient client, String candidateName) {
        Actor actor = new Actor(client, candidateName);
        actors.add(actor);
        return actor;
    }

    /** Returns a candidate that has been elected and is at work. */
    Actor leader(String candidateName) {
        Actor actor = actor(candidateName).stand();
        awaitWork(actor, 1);
        return actor;
    }

    /** Waits until the candidate has begun its work this many times; time stands still. */
    void awaitWork(Actor actor, int times) {
        until(() -> actor.led.size() >= times && actor.atWork.get() > 0);
    }

    /** Waits until a real thread has done something. Time stands still, but the messages that result are delivered. */
    void until(BooleanSupplier condition) {
        untilReal(() -> {
            cluster.world().drain();
            return condition.getAsBoolean();
        });
    }

    /** Waits for a real thread while nothing else happens. */
    void untilReal(BooleanSupplier condition) {
        long deadline = System.nanoTime() + REAL_PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + REAL_PATIENCE);
            }
            LockSupport.parkNanos(100_000);
        }
    }

    /** Lets time pass until the condition holds, and returns how much time has passed. */
    Duration pass(BooleanSupplier condition, Duration longest) {
        Duration before = cluster.world().elapsed();
        if (!cluster.world().runUntil(condition, longest)) {
            throw new AssertionError("not within " + longest);
        }
        return cluster.world().elapsed().minus(before);
    }

    void advance(Duration length) {
        cluster.advance(length);
    }

    Holdfast onlooker() {
        return cluster.client("onlooker").holdfast();
    }

    /** Ends all work, so that no thread is left. */
    @Override
    public void close() {
        for (Actor actor : actors) {
            if (actor.candidacy != null) {
                actor.candidacy.closeAsync();
            }
            actor.exits.release(1_000);
        }
        until(() -> actors.stream().allMatch(Actor::rests));
    }
}
