package dev.holdfast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.time.Ticker;
import org.junit.jupiter.api.Test;

class TicketClockTest {

    private long wallMillis = 1_000_000;

    private final TicketClock clock = new TicketClock(new Ticker() {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public long wallMillis() {
            return wallMillis;
        }
    });

    @Test
    void itIsTheWallClockAndNeverTheSameTwice() {
        assertThat(clock.next()).isEqualTo(1_000_000_000);
        assertThat(clock.next()).isEqualTo(1_000_000_001);
        wallMillis++;
        assertThat(clock.next()).isEqualTo(1_000_001_000);
    }

    @Test
    void itDoesNotGoBackWithTheWallClock() {
        long before = clock.next();
        wallMillis = 5;

        assertThat(clock.next()).isEqualTo(before + 1);
    }

    @Test
    void itGoesAboveWhatANodeHasShown() {
        clock.observe(1_000_500_000);

        assertThat(clock.next()).isEqualTo(1_000_500_001);
        clock.observe(7);
        assertThat(clock.next()).isEqualTo(1_000_500_002);
    }

    @Test
    void itDoesNotFollowATicketFromFarInTheFuture() {
        clock.observe(1_000_000_000 + 25L * 3_600_000_000L);

        assertThat(clock.next()).isEqualTo(1_000_000_000);
    }

    @Test
    void aHostileWallClockMakesNoImpossibleTicket() {
        wallMillis = Long.MAX_VALUE;
        assertThat(clock.next()).isBetween(0L, 1L << 53);
        wallMillis = Long.MIN_VALUE;
        assertThat(new TicketClock(new Ticker() {
                            @Override
                            public long nanos() {
                                return 0;
                            }

                            @Override
                            public long wallMillis() {
                                return wallMillis;
                            }
                        })
                        .next())
                .isPositive();
    }
}
