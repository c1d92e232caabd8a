package dev.holdfast.cluster;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.time.Ticker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A model of consensus around the production's log time, proposals and state machine, on a virtual clock, from a seed. Leaders change, replicas lag,
 * and entries get lost before they are committed. Wall clocks step, and monotonic clocks drift. Clients hold leases of one lock, and believe in them
 * for as long as their own clocks say.
 */
final class ModelledLog {

    /** A mistake that the model plants. */
    enum Mistake {
        NONE,
        WALL_CLOCK_AS_LOG_TIME,
        NEW_LEADER_STARTS_AT_ITS_WALL_CLOCK,
        FOLLOWER_EXPIRES_BY_ITS_OWN_CLOCK,
        ANSWER_BEFORE_COMMIT,
        QUERY_WITHOUT_A_MAJORITY,
        QUERY_ENDS_WHAT_HAS_EXPIRED
    }

    private static final String LOCK = "lock";
    private static final long TTL_MILLIS = 2_000;
    private static final int SERVERS = 3;
    private static final int CLIENTS = 4;

    private final Random random;
    private final Mistake mistake;
    private final List<byte[]> committed = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final List<Query> queries = new ArrayList<>();
    private final Set<Long> gone = new HashSet<>(); // tokens of votes that a query has shown as ended
    private Server leader;
    private long term;
    private long nanos;
    private long highestToken;
    private @Nullable AssertionError broken;
    private int changes;
    private int grants;
    private int answered;
    private int throughLog;

    ModelledLog(long seed, Mistake mistake) {
        this.random = new Random(seed);
        this.mistake = mistake;
        for (int i = 0; i < SERVERS; i++) {
            servers.add(new Server());
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client(i));
        }
        leader = servers.get(0);
        elect(leader);
    }

    int changes() {
        return changes;
    }

    int grants() {
        return grants;
    }

    /** Returns how many queries were answered without an entry. */
    int answered() {
        return answered;
    }

    /** Returns how many queries needed an entry. */
    int throughLog() {
        return throughLog;
    }

    /** Plays this many steps of about 20 ms. Fails with an {@link AssertionError} at a broken promise. */
    void play(int steps) {
        for (int i = 0; i < steps; i++) {
            nanos += random.nextInt(40_000_000);
            if (random.nextInt(60) == 0) {
                servers.get(random.nextInt(SERVERS)).wallOffsetMillis += random.nextInt(7_200_000) - 3_600_000;
            }
            if (random.nextInt(80) == 0) {
                nanos += random.nextInt(600) * 1_000_000L; // without a leader
                elect(servers.get(random.nextInt(SERVERS)));
            }
            for (Server server : servers) {
                server.step();
            }
            for (Client client : clients) {
                client.step();
            }
            if (random.nextInt(3) == 0) {
                queries.add(new Query());
            }
            queries.removeIf(Query::ends);
            if (broken != null) {
                throw broken;
            }
        }
        for (Server server : servers) {
            server.catchUp(committed.size());
        }
        byte[] state = servers.get(0).machine.snapshot();
        for (Server server : servers) {
            check(Arrays.equals(server.machine.snapshot(), state), "the replicas differ");
        }
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    /**
     * Puts a server into office. The first entries under way at its predecessor, perhaps none, are committed before; the others are lost. The predecessor may
     * notice later, and accept requests until then.
     */
    private void elect(Server next) {
        changes++;
        Server former = leader;
        former.underWay.stream()
                .limit(random.nextInt(former.underWay.size() + 1))
                .forEach(entry -> committed.add(entry.proposal.batch().bytes()));
        next.giveUp();
        leader = next;
        next.catchUp(committed.size());
        boolean restarts = mistake == Mistake.NEW_LEADER_STARTS_AT_ITS_WALL_CLOCK;
        next.proposals.open(++term, restarts ? 0 : next.machine.millis());
    }

    /** Clocks drift by up to half a percent in each direction, so by at most one against each other. */
    private double drift() {
        return 0.995 + random.nextDouble() * 0.01;
    }

    /** An entry between its proposal and its commit. */
    private record UnderWay(Proposals.Proposal proposal, long committedAtNanos) {}

    private final class Server implements Ticker {

        final LockStateMachine machine = new LockStateMachine(3_600_000);
        final List<Runnable> timers = new ArrayList<>();
        final Proposals proposals = new Proposals(new LogTime(this), (delay, task) -> timers.add(task), this::append);
        final double rate = drift();
        long wallOffsetMillis = 1_700_000_000_000L + random.nextInt(100_000);
        int applied;
        List<UnderWay> underWay = new ArrayList<>();

        @Override
        public long nanos() {
            return mistake == Mistake.WALL_CLOCK_AS_LOG_TIME ? wallMillis() * 1_000_000 : (long) (nanos * rate);
        }

        @Override
        public long wallMillis() {
            return wallOffsetMillis + (long) (nanos * rate) / 1_000_000;
        }

        private void append(Proposals.Proposal proposal, long inTerm) {
            underWay.add(new UnderWay(proposal, nanos + random.nextInt(60_000_000)));
            if (mistake == Mistake.ANSWER_BEFORE_COMMIT) {
                LockStateMachine guess = new LockStateMachine(3_600_000);
                guess.restore(machine.snapshot());
                List<Object> answers = List.of();
                List<Push> pushes = new ArrayList<>();
                for (UnderWay one : underWay) {
                    pushes.clear();
                    answers = guess.apply(one.proposal.batch(), pushes::add);
                }
                proposal.answered(answers, pushes);
            }
        }

        void step() {
            List<Runnable> due = List.copyOf(timers); // any of them may be late
            timers.clear();
            due.forEach(Runnable::run);
            if (this == leader) {
                while (!underWay.isEmpty() && underWay.get(0).committedAtNanos <= nanos) {
                    commit(underWay.remove(0).proposal);
                }
                return;
            }
            if (proposals.leads()) { // it hears nothing from the new leader, until it learns that there is one
                if (random.nextInt(20) > 0) {
                    return;
                }
                giveUp();
            }
            if (random.nextInt(4) == 0) {
                catchUp(Math.min(committed.size(), applied + random.nextInt(5)));
                if (mistake == Mistake.FOLLOWER_EXPIRES_BY_ITS_OWN_CLOCK) {
                    long own = machine.millis() + random.nextInt(3_000);
                    machine.apply(new Batch(own, List.of(new Operation.Sweep())), push -> {});
                }
            }
        }

        private void commit(Proposals.Proposal proposal) {
            committed.add(proposal.batch().bytes());
            applied++;
            List<Push> pushes = new ArrayList<>();
            List<Object> answers = machine.apply(proposal.batch(), pushes::add);
            if (mistake != Mistake.ANSWER_BEFORE_COMMIT) {
                proposal.answered(answers, pushes);
            }
        }

        /** Learns that another server leads. */
        void giveUp() {
            List<UnderWay> lost = underWay;
            underWay = new ArrayList<>();
            proposals.close("another server leads");
            lost.forEach(entry -> entry.proposal.failed("another server leads"));
        }

        void catchUp(int end) {
            for (; applied < end; applied++) {
                machine.apply(Batch.read(committed.get(applied)), push -> {});
            }
        }
    }

    /** A question about the lock, to a server that takes itself for the leader. */
    private final class Query {

        final Server server;
        final long highestBefore = highestToken;
        final Set<Long> goneBefore = new HashSet<>(gone);
        final List<Long> heldBefore = clients.stream()
                .filter(Client::holds)
                .map(client -> client.token)
                .toList();
        int index = -1; // until a majority has confirmed that the server leads

        Query() {
            List<Server> former = servers.stream()
                    .filter(one -> one.proposals.leads() && one != leader)
                    .toList();
            server = former.isEmpty() || random.nextBoolean() ? leader : former.get(random.nextInt(former.size()));
        }

        /** Continues, and returns whether the query is over. */
        boolean ends() {
            boolean confirms = server == leader || mistake == Mistake.QUERY_WITHOUT_A_MAJORITY;
            if (index < 0 && random.nextInt(3) == 0) {
                if (!confirms) {
                    return true; // the majority knows another leader
                }
                index = mistake == Mistake.QUERY_WITHOUT_A_MAJORITY ? 0 : committed.size();
            }
            if (index < 0 || server.applied < index || random.nextInt(3) > 0) {
                return false;
            }
            answer();
            return true;
        }

        private void answer() {
            long now = server.proposals.millis();
            Operation.Inspect operation = new Operation.Inspect(LOCK);
            if (mistake == Mistake.QUERY_ENDS_WHAT_HAS_EXPIRED) {
                Object state = server.machine
                        .apply(new Batch(now, List.of(operation)), push -> {})
                        .get(0);
                check((ResourceState) state);
                return;
            }
            Optional<ResourceState> state = server.machine.inspect(LOCK, now);
            if (state.isPresent()) {
                answered++;
                check(state.get());
            } else {
                throughLog++;
                server.proposals.propose(operation).thenAccept(later -> {
                    if (later instanceof ResourceState read) {
                        check(read);
                    }
                });
            }
        }

        /** Checks that the answer shows all that was known before the question, and no vote that an earlier answer has shown as ended. */
        private void check(ResourceState state) {
            try {
                List<Long> tokens = state.holders().stream()
                        .map(ResourceState.Holder::fence)
                        .toList();
                ModelledLog.check(
                        state.fence() + 1 >= highestBefore, "a query shows " + state + " after " + highestBefore);
                for (Client client : clients) {
                    ModelledLog.check(
                            !client.holds() || !heldBefore.contains(client.token) || tokens.contains(client.token),
                            "a query does not show the lease " + client.token + ": " + state);
                }
                for (long token : tokens) {
                    ModelledLog.check(!goneBefore.contains(token), "a query shows " + token + " again: " + state);
                }
                if (state.fence() > 0 && !tokens.contains(state.fence())) {
                    gone.add(state.fence());
                }
            } catch (AssertionError e) {
                broken = e;
            }
        }
    }

    /** A client that acquires the lock, extends its lease in time, and releases it after a while. */
    private final class Client {

        final String name;
        final double rate = drift();
        long attempts;

        @Nullable
        OwnerId owner; // of the lease or the request

        long token; // 0 without a lease
        double validUntil; // by this client's clock, in nanoseconds
        long releaseAtNanos;
        boolean waits;

        Client(int number) {
            name = "client@host~0000000" + number;
        }

        double now() {
            return nanos * rate;
        }

        /** Returns whether this client believes in its lease: the production's rule, with its allowance for drift. */
        boolean holds() {
            return token > 0 && now() < validUntil;
        }

        void step() {
            if (waits) {
                return;
            }
            if (token > 0 && !holds()) {
                token = 0; // the client could not extend in time, and knows it
                owner = null;
            } else if (token > 0 && nanos > releaseAtNanos) {
                token = 0;
                send(
                        server().proposals.propose(new Operation.Release(new ReleaseRequest(LOCK, owner, 0))),
                        answer -> {});
                owner = null;
            } else if (token > 0 && validUntil - now() < TTL_MILLIS * 700_000.0) {
                extend();
            } else if (token == 0 && random.nextInt(3) == 0) {
                acquire();
            }
        }

        /** Returns the server that this client takes for the leader. */
        private Server server() {
            List<Server> leading =
                    servers.stream().filter(server -> server.proposals.leads()).toList();
            return leading.get(random.nextInt(leading.size()));
        }

        private void acquire() {
            OwnerId asker = owner == null ? new OwnerId(name, 1_000_000 + nanos / 1_000, (int) ++attempts) : owner;
            owner = asker;
            double sent = now();
            AcquireRequest request = AcquireRequest.forQueuedVote(LOCK, asker, LockMode.EX, TTL_MILLIS, TTL_MILLIS, 1);
            send(server().proposals.propose(new Operation.Acquire(request)), answer -> {
                if (answer instanceof AcquireAnswer.Granted granted) {
                    validUntil = sent + TTL_MILLIS * 1_000_000 * 0.99;
                    if (now() >= validUntil) {
                        owner = null;
                        return;
                    }
                    for (Client other : clients) {
                        check(other == this || !other.holds(), name + " and " + other.name + " hold the lock");
                    }
                    check(granted.fence() >= highestToken, "token " + granted.fence() + " after " + highestToken);
                    highestToken = granted.fence() + 1;
                    token = granted.fence();
                    grants++;
                    releaseAtNanos = nanos + random.nextInt(2_500) * 1_000_000L;
                }
            });
        }

        private void extend() {
            double sent = now();
            long extended = token;
            AcquireRequest request = AcquireRequest.forVote(LOCK, owner, LockMode.EX, TTL_MILLIS, TTL_MILLIS, 1)
                    .raisedTo(extended);
            send(server().proposals.propose(new Operation.Acquire(request)), answer -> {
                if (answer instanceof AcquireAnswer.Granted granted) {
                    validUntil = Math.max(validUntil, sent + TTL_MILLIS * 1_000_000 * 0.99);
                } else if (answer instanceof AcquireAnswer.Denied denied) {
                    check(!holds(), "an acknowledged lease is lost: " + denied);
                }
            });
        }

        private void send(CompletionStage<Object> stage, Consumer<Object> then) {
            waits = true;
            stage.thenAccept(answer -> {
                waits = false;
                try {
                    then.accept(answer);
                } catch (AssertionError e) {
                    broken = e;
                }
            });
        }
    }
}
