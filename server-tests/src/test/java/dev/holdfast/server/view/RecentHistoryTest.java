package dev.holdfast.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.event.Event;
import dev.holdfast.server.message.Json;
import dev.holdfast.time.Ticker;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentHistoryTest {

    private final AtomicLong nowMillis = new AtomicLong(1_000_000_000_000L);
    private final long startMillis = nowMillis.get();
    private final Ticker ticker = new Ticker() {
        @Override
        public long nanos() {
            return nowMillis.get() * 1_000_000;
        }

        @Override
        public long wallMillis() {
            return nowMillis.get();
        }
    };
    private final RecentHistory history = new RecentHistory(ticker);
    private long number;

    private void happens(Event.Type type, String lock) {
        history.accept(Event.of(++number, nowMillis.get(), type, lock, Json.object()));
    }

    private List<Event.Type> typesOf(String lock) {
        return history.of(lock, number).events().stream().map(Event::type).toList();
    }

    @Test
    void theEventsOfALockAreToldInTheirOrder() {
        happens(Event.Type.GRANTED, "a");
        happens(Event.Type.GRANTED, "b");
        happens(Event.Type.EXTENDED, "a");
        happens(Event.Type.RELEASED, "a");

        assertThat(typesOf("a")).containsExactly(Event.Type.GRANTED, Event.Type.EXTENDED, Event.Type.RELEASED);
        assertThat(history.of("a", 1).events()).as("up to the first").hasSize(1);
        assertThat(history.of("a", number).fromMillis()).isEqualTo(startMillis);
        assertThat(typesOf("never")).isEmpty();
    }

    @Test
    void whatIsOlderThanTenMinutesIsForgotten() {
        happens(Event.Type.GRANTED, "a");
        nowMillis.addAndGet(RecentHistory.KEPT_MILLIS - 1);
        happens(Event.Type.RELEASED, "a");
        nowMillis.addAndGet(2);

        assertThat(typesOf("a")).containsExactly(Event.Type.RELEASED);
        assertThat(history.of("a", number).fromMillis()).isEqualTo(nowMillis.get() - RecentHistory.KEPT_MILLIS);

        nowMillis.addAndGet(RecentHistory.KEPT_MILLIS);
        assertThat(typesOf("a")).isEmpty();
        assertThat(history.size()).isZero();
    }

    /** One busy lock displaces no events of the others, and the answer states the time from which its events are complete. */
    @Test
    void aBusyLockForgetsItsOwnFirst() {
        happens(Event.Type.GRANTED, "quiet");
        for (int i = 0; i < 100_000; i++) {
            nowMillis.addAndGet(1);
            happens(i % 2 == 0 ? Event.Type.GRANTED : Event.Type.RELEASED, "busy");
        }

        assertThat(typesOf("quiet")).hasSize(1);
        assertThat(typesOf("busy")).hasSizeBetween(300, 400);
        assertThat(history.of("busy", number).fromMillis())
                .isEqualTo(nowMillis.get() - typesOf("busy").size());
        assertThat(history.of("quiet", number).fromMillis()).isEqualTo(startMillis);
        assertThat(history.size()).isLessThan(500);
    }

    /** Ten thousand leases that are extended all the time: memory has a bound, and grants are not pushed out. */
    @Test
    void tenThousandLocksHaveABound() {
        for (int lock = 0; lock < 10_000; lock++) {
            happens(Event.Type.GRANTED, "lock-" + lock);
        }
        for (int round = 0; round < 30; round++) {
            nowMillis.addAndGet(10_000);
            for (int lock = 0; lock < 10_000; lock++) {
                happens(Event.Type.EXTENDED, "lock-" + lock);
            }
        }

        assertThat(history.size()).isLessThanOrEqualTo(60_000);
        assertThat(typesOf("lock-7")).startsWith(Event.Type.GRANTED).hasSizeGreaterThan(1);
        RecentHistory.OfLock known = history.of("lock-7", number);
        assertThat(known.fromMillis()).isEqualTo(startMillis);
        assertThat(known.extendedFromMillis()).isGreaterThan(startMillis);
    }

    @Test
    void withVeryManyLocksItReachesLessFarBackAndSaysSo() {
        for (int lock = 0; lock < 100_000; lock++) {
            nowMillis.addAndGet(1);
            happens(Event.Type.GRANTED, "lock-" + lock);
        }

        assertThat(history.size()).isEqualTo(40_000);
        assertThat(typesOf("lock-1")).isEmpty();
        assertThat(history.of("lock-1", number).fromMillis()).isEqualTo(startMillis + 60_000);
        assertThat(typesOf("lock-99999")).hasSize(1);
    }

    @Test
    void lossesAreCountedForFiveMinutes() {
        happens(Event.Type.LOST, "orders:1");
        happens(Event.Type.EXPIRED, "orders:2");
        happens(Event.Type.EXPIRED, "bills:2");
        happens(Event.Type.RELEASED, "orders:3");

        assertThat(history.losses(lock -> lock.startsWith("orders:"))).isEqualTo(new RecentHistory.Losses(1, 1));
        assertThat(history.losses(lock -> true)).isEqualTo(new RecentHistory.Losses(1, 2));

        nowMillis.addAndGet(RecentHistory.LOSSES_MILLIS + 1);
        assertThat(history.losses(lock -> true)).isEqualTo(new RecentHistory.Losses(0, 0));
    }
}
