package dev.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireAnswer.Denied;
import dev.holdfast.node.AcquireAnswer.Granted;
import dev.holdfast.node.AcquireAnswer.Queued;
import dev.holdfast.node.AcquireAnswer.Sealed;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Blocker;
import dev.holdfast.node.FenceFromTime;
import dev.holdfast.node.LockTable;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.ResourceState;
import dev.holdfast.node.Seal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** One resource at a server and the same in a {@link LockTable}: draws random operations, and compares what comes of them. */
final class ComparedResource {

    /** In milliseconds from now on: from when on votes of a run count. */
    private static final int[] COUNTED_FROM = {0, 0, -1_000, 200};

    private static final long[] SHORT_MILLIS = {5, 15, 30, 45};
    private static final long[] LONG_MILLIS = {20_000, 30_000, 60_000};

    /** Some outlast several rounds of a slow machine, so that a second seal meets the first. */
    private static final long[] SEAL_MILLIS = {15, 45, 100, 200};

    private static final String[] CLIENTS = {
        "billing@host-7~a1b2c3d4",
        "billing@host-7~a1b2c3d5",
        "Zoe~00000000",
        "a.b:c_d~zzzzzzzz",
        "a.b-c~0123456789",
        "Billing~a1b2c3d4",
    };
    private static final String[] TEXTS = {"", "a", "a|b", "100 %\n%0A\n", "\u00e4\u4e2d\ud83d\udd12", "x".repeat(1024)
    };
    private static final long EARLIEST_ATTEMPT = 1_780_000_000_000_000L;

    /** As long as a round may take, so that no expiry falls into one. */
    private static final long CLEAR_MILLIS = 14;

    /** Between two readings of the clock, for the operation between them to be compared. */
    private static final long MOST_UNSURE_MILLIS = 4;

    /** How far times may be apart: one reading when the expiry was set, another one now. */
    private static final long SLACK_MILLIS = 2 * MOST_UNSURE_MILLIS;

    private final String name;
    private final boolean allShort;
    private final boolean calm;
    private final boolean queued;
    private final long retentionMillis;
    private final Random random;
    private final List<OwnerId> owners = new ArrayList<>();
    private final TreeSet<Long> expiries = new TreeSet<>();
    private final Deque<String> history = new ArrayDeque<>();
    private final Map<String, Integer> tally = new TreeMap<>();
    private final AloneLocks locks = new AloneLocks();
    private final List<OwnerId> inUse = new ArrayList<>();
    private LockTable table;
    private long countedFrom;
    private long base = FenceFromTime.ofRun(0);
    private long lastFence;
    private boolean sealed;
    private long longestTtl;
    private long longestTtlExpiry;

    /**
     * One whose operations are drawn.
     *
     * @param allShort with all times short the fence is forgotten now and then too
     * @param calm one exclusive vote without waiters: the most frequent extension
     * @param queued exclusive votes that many wait for, and nothing else: what is released to the next waiter most
     */
    ComparedResource(String name, boolean allShort, boolean calm, boolean queued, Random random) {
        this.name = name;
        this.allShort = allShort;
        this.calm = calm;
        this.queued = queued;
        this.retentionMillis = allShort ? 60 : 86_400_000;
        this.random = random;
        this.table = new LockTable(retentionMillis, 0);
        for (String client : CLIENTS) {
            owners.add(new OwnerId(client, EARLIEST_ATTEMPT, 0));
        }
    }

    String name() {
        return name;
    }

    void reset() {
        table = new LockTable(retentionMillis, 0);
        countedFrom = 0;
        base = FenceFromTime.ofRun(0);
        expiries.clear();
        sealed = false;
        longestTtl = 0;
        inUse.clear();
        history.clear();
    }

    /** The last operations, the latest at the end. */
    String history() {
        return String.join("\n", history);
    }

    static Map<String, Integer> tally(Collection<ComparedResource> resources) {
        Map<String, Integer> sum = new TreeMap<>();
        resources.forEach(resource -> resource.tally.forEach((what, times) -> sum.merge(what, times, Integer::sum)));
        return sum;
    }

    boolean isClearOfExpiries(long now) {
        expiries.headSet(now - 10).clear();
        Long next = expiries.ceiling(now - MOST_UNSURE_MILLIS);
        return next == null || next > now + CLEAR_MILLIS;
    }

    ScriptCall<?> nextCall(long now) {
        if (random.nextInt(50) == 0) {
            restart(now);
        }
        if (random.nextInt(10) >= 6) {
            ReleaseCall release = nextRelease(now);
            return release.isPlain() && random.nextBoolean() ? release.asAlone() : release;
        }
        AcquireCall acquire = nextAcquire(now);
        if (acquire.isForANewVote() && random.nextBoolean()) {
            return acquire.asAlone();
        }
        return acquire.isExtension() && random.nextBoolean() ? new ExtendCall(List.of(acquire)) : acquire;
    }

    /**
     * The stored state lags behind the granted one: the fence too, because tokens grew more slowly than time. A client that
     * has yet to quarantine the server gives a base in the future.
     */
    private void restart(long now) {
        countedFrom = now + COUNTED_FROM[random.nextInt(COUNTED_FROM.length)];
        table.restarted(countedFrom);
        base = FenceFromTime.ofRun(countedFrom);
        tally.merge("restart", 1, Integer::sum);
        history.add(now + " restart, votes count from " + countedFrom);
    }

    private AcquireCall nextAcquire(long now) {
        LockMode mode = calm || queued || random.nextInt(3) == 0
                ? LockMode.EX
                : LockMode.values()[random.nextInt(LockMode.values().length)];
        boolean raise = !queued && random.nextInt(calm ? 2 : 4) == 0;
        long floor = raise ? Math.max((lastFence == 0 ? now / 1000 << 20 : lastFence) + random.nextInt(8) - 3, 1) : 0;
        long ttl = millis();
        long waiterTtl = millis();
        expiries.add(now + ttl);
        expiries.add(now + waiterTtl);
        return new AcquireCall(
                new AcquireRequest(
                        name,
                        nextOwner(),
                        mode,
                        new AcquireRequest.Terms(ttl, waiterTtl, 1 + random.nextInt(8)),
                        !calm && (queued || random.nextInt(10) < 7),
                        new AcquireRequest.Update(
                                floor,
                                raise && random.nextBoolean(),
                                raise && random.nextBoolean() ? nextValue(floor) : null)),
                retentionMillis,
                base);
    }

    /** Now and then older than what is there, or the same. */
    private LockValue nextValue(long floor) {
        return new LockValue(
                Math.max(floor + random.nextInt(3) - 1, 1), 1 + random.nextInt(3), TEXTS[random.nextInt(TEXTS.length)]);
    }

    private ReleaseCall nextRelease(long now) {
        long bury = !calm && !queued && random.nextInt(4) == 0 ? millis() : 0;
        long seal = !calm && !queued && random.nextInt(sealed ? 3 : 20) == 0
                ? SEAL_MILLIS[random.nextInt(SEAL_MILLIS.length)]
                : 0;
        OwnerId owner = nextOwner();
        Seal said = seal == 0 ? null : new Seal(owner.toString(), random.nextInt(5_000), seal);
        LockValue value = !calm && random.nextInt(3) == 0 ? nextValue(Math.max(lastFence, 1)) : null;
        return new ReleaseCall(new ReleaseRequest(name, owner, bury, said, value), retentionMillis, base);
    }

    /** Often one that holds or waits; else the same as before, which makes requests late, the next round, or another attempt. */
    private OwnerId nextOwner() {
        int index = random.nextInt(owners.size());
        OwnerId owner = owners.get(index);
        int dice = random.nextInt(10);
        if (dice < 4 && !inUse.isEmpty()) {
            return inUse.get(random.nextInt(inUse.size()));
        }
        if (dice == 4) {
            owner = owner.inRound(owner.round() + 1);
        } else if (dice < 8) {
            int attempt = random.nextInt(20);
            String label = attempt % 4 == 0 ? "it's " + attempt + " % / ü | (~)" : "";
            owner = new OwnerId(owner.client(), EARLIEST_ATTEMPT + attempt, 0, label);
        }
        owners.set(index, owner);
        return owner;
    }

    private long millis() {
        boolean brief = allShort || random.nextInt(5) == 0;
        return brief
                ? SHORT_MILLIS[random.nextInt(SHORT_MILLIS.length)]
                : LONG_MILLIS[random.nextInt(LONG_MILLIS.length)];
    }

    /**
     * Returns false if the two cannot be compared, because the clock passed a limit between the two readings: an expiry, a full second, or the
     * millisecond of the fence.
     */
    boolean compare(ScriptCall<?> call, long before, long after, Reply answer, Reply state, List<Push> pushed) {
        boolean unsure =
                after - before > (before <= countedFrom ? 0 : MOST_UNSURE_MILLIS) || before / 1000 != after / 1000;
        if (unsure
                || (call instanceof AcquireCall acquire && mayRenewTtl(acquire.request(), before))
                || !expiries.subSet(before - MOST_UNSURE_MILLIS, after + MOST_UNSURE_MILLIS)
                        .isEmpty()) {
            return false;
        }
        history.add(before + " " + call);
        if (history.size() > 60) {
            history.removeFirst();
        }
        List<Push> expectedPushes = new ArrayList<>();
        if (isLeftToAnother(call, answer)) { // nothing was done
            history.add("    not alone");
            tally.merge(call.script() + " not", 1, Integer::sum);
        } else if (call instanceof AcquireCall acquire) {
            tally.merge(call.script().toString(), 1, Integer::sum);
            AcquireAnswer expected = table.acquire(acquire.request(), before, expectedPushes::add);
            count(expected);
            if (expected instanceof Granted || expected instanceof Queued) {
                rememberTtl(acquire.request(), before, keptMillis(acquire.request(), expected instanceof Queued));
            }
            history.add("    " + expected);
            assertSame(expected, acquire.answer(answer));
        } else if (call instanceof ExtendCall extend) {
            AcquireCall acquire = extend.calls().get(0);
            long fence = extend.answer(answer).of(0);
            tally.merge(fence > 0 ? "extended" : "not extended", 1, Integer::sum);
            history.add("    " + fence);
            if (fence > 0) { // else nothing was done
                AcquireAnswer expected = table.acquire(acquire.request(), before, expectedPushes::add);
                rememberTtl(acquire.request(), before, keptMillis(acquire.request(), false));
                assertSame(withoutLongestTtl(expected), acquire.answer(new Reply(fence)));
            }
        } else if (call instanceof ReleaseCall release) {
            tally.merge(call.script().toString(), 1, Integer::sum);
            Object expected = table.release(release.request(), before, expectedPushes::add);
            tally.merge(expected.getClass().getSimpleName(), 1, Integer::sum);
            if (release.request().value() != null) {
                tally.merge(expected.getClass().getSimpleName() + " with a value", 1, Integer::sum);
            }
            history.add("    " + expected);
            assertThat((Object) release.answer(answer)).isEqualTo(expected);
            rememberExpiry(before, release.request().buryMillis());
            Seal seal = release.request().seal();
            rememberExpiry(before, seal == null ? 0 : seal.remainingMillis().orElseThrow());
        }
        expectedPushes.forEach(push -> tally.merge("push " + push.getClass().getSimpleName(), 1, Integer::sum));
        assertThat(pushed).as("pushes").isEqualTo(expectedPushes);
        ResourceState expectedState = table.inspect(name, before);
        history.add("    " + expectedState);
        assertSame(expectedState, (ResourceState) new InspectCall(name).answer(state));
        rememberExpiries(expectedState, before);
        return true;
    }

    /** Returns whether a request with the longest ttl renews its retention just at this time, or just not. */
    private boolean mayRenewTtl(AcquireRequest request, long now) {
        return longestTtl == request.ttlMillis()
                && Stream.of(false, true)
                        .mapToLong(isQueued -> longestTtlExpiry - keptMillis(request, isQueued) / 2 - now)
                        .anyMatch(millis -> Math.abs(millis) <= MOST_UNSURE_MILLIS);
    }

    /** Notes the time at which the node no longer remembers the longest ttl. */
    private void rememberTtl(AcquireRequest request, long now, long keptMillis) {
        long remembered = longestTtlExpiry > now ? longestTtl : 0;
        boolean isFading = remembered == request.ttlMillis() && longestTtlExpiry - now < keptMillis / 2;
        if (request.mode().bearsToken() && (remembered < request.ttlMillis() || isFading)) {
            longestTtl = request.ttlMillis();
            longestTtlExpiry = now + keptMillis;
            expiries.add(longestTtlExpiry);
        }
    }

    /** Returns how long a node remembers the ttl of a request. */
    private long keptMillis(AcquireRequest request, boolean isQueued) {
        return isQueued ? Math.max(retentionMillis, 4 * request.terms().waiterTtlMillis()) : retentionMillis;
    }

    private boolean isLeftToAnother(ScriptCall<?> call, Reply answer) {
        if (call instanceof AcquireCall acquire) {
            return acquire.alone() && acquire.answer(answer).equals(acquire.answer(new Reply(0)));
        }
        return call.instead(answer, locks) != null;
    }

    /** An extended lease knows its own ttl, and quarantines no client. */
    private static AcquireAnswer withoutLongestTtl(AcquireAnswer answer) {
        return answer instanceof Granted granted
                ? new Granted(granted.fence(), granted.contender(), granted.latestTicketTime(), granted.value(), 0)
                : answer;
    }

    private void count(AcquireAnswer answer) {
        String what = answer.getClass().getSimpleName();
        tally.merge(answer instanceof Denied denied ? what + " " + denied.reason() : what, 1, Integer::sum);
    }

    private void rememberExpiries(ResourceState state, long now) {
        lastFence = state.fence() == 0 ? lastFence : state.fence();
        state.holders()
                .forEach(holder -> rememberExpiry(now, holder.remainingMillis().orElseThrow()));
        state.waiters().forEach(waiter -> rememberExpiry(now, waiter.remainingMillis()));
        inUse.clear();
        state.holders()
                .forEach(holder -> inUse.add(OwnerId.parse(holder.owner()).orElseThrow()));
        state.waiters()
                .forEach(waiter -> inUse.add(OwnerId.parse(waiter.owner()).orElseThrow()));
        Seal seal = state.seal();
        sealed = seal != null;
        rememberExpiry(now, seal == null ? 0 : seal.remainingMillis().orElseThrow());
        rememberExpiry(now, retentionMillis);
    }

    private void rememberExpiry(long now, long millis) {
        if (millis > 0) {
            expiries.add(now + millis);
        }
    }

    private static void assertSame(AcquireAnswer expected, AcquireAnswer actual) {
        assertThat(withoutTimes(actual)).isEqualTo(withoutTimes(expected));
        assertNear(remaining(expected), remaining(actual));
        Blocker blocker = blocker(expected);
        if (blocker != null) {
            assertNear(blocker.remainingMillis(), blocker(actual).remainingMillis());
        }
    }

    private static AcquireAnswer withoutTimes(AcquireAnswer answer) {
        if (answer instanceof Queued queued) {
            return new Queued(
                    0,
                    queued.fence(),
                    queued.place(),
                    withoutTime(queued.blocker()),
                    queued.latestTicketTime(),
                    queued.longestTtlMillis());
        }
        if (answer instanceof Denied denied) {
            return new Denied(
                    0,
                    denied.reason(),
                    withoutTime(denied.blocker()),
                    denied.latestTicketTime(),
                    denied.longestTtlMillis());
        }
        return answer instanceof Sealed sealed ? new Sealed(withoutTime(sealed.seal())) : answer;
    }

    private static Seal withoutTime(Seal seal) {
        return seal == null ? null : new Seal(seal.by(), 0, 0);
    }

    private static Blocker withoutTime(Blocker blocker) {
        return blocker == null ? null : new Blocker(blocker.kind(), blocker.owner(), OptionalLong.of(0));
    }

    private static Blocker blocker(AcquireAnswer answer) {
        if (answer instanceof Queued queued) {
            return queued.blocker();
        }
        return answer instanceof Denied denied ? denied.blocker() : null;
    }

    private static long remaining(AcquireAnswer answer) {
        if (answer instanceof Queued queued) {
            return queued.remainingMillis();
        }
        if (answer instanceof Denied denied) {
            return denied.remainingMillis();
        }
        assertThat(answer).isInstanceOfAny(Granted.class, Sealed.class);
        return answer instanceof Sealed sealed ? sealed.seal().remainingMillis().orElseThrow() : 0;
    }

    private static void assertSame(ResourceState expected, ResourceState actual) {
        assertThat(withoutTimes(actual)).isEqualTo(withoutTimes(expected));
        if (expected.seal() != null) {
            assertNear(expected.seal().remainingMillis(), actual.seal().remainingMillis());
            assertNear(expected.seal().agoMillis(), actual.seal().agoMillis());
        }
        for (int i = 0; i < expected.holders().size(); i++) {
            assertNear(
                    expected.holders().get(i).remainingMillis(),
                    actual.holders().get(i).remainingMillis());
        }
        for (int i = 0; i < expected.waiters().size(); i++) {
            assertNear(
                    expected.waiters().get(i).remainingMillis(),
                    actual.waiters().get(i).remainingMillis());
        }
    }

    private static ResourceState withoutTimes(ResourceState state) {
        return new ResourceState(
                state.resource(),
                state.fence(),
                state.holders().stream()
                        .map(holder -> new ResourceState.Holder(
                                holder.kind(), holder.owner(), holder.mode(), holder.fence(), OptionalLong.of(0)))
                        .toList(),
                state.waiters().stream()
                        .map(waiter -> new ResourceState.Waiter(waiter.owner(), waiter.mode(), 0))
                        .toList(),
                withoutTime(state.seal()),
                state.value());
    }

    private static void assertNear(OptionalLong expected, OptionalLong actual) {
        assertNear(expected.orElseThrow(), actual.orElseThrow());
    }

    private static void assertNear(long expected, long actual) {
        assertThat(actual).as("remaining time").isBetween(expected - SLACK_MILLIS, expected + SLACK_MILLIS);
    }
}
