package dev.holdfast.sample.orders;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.spring.LeaderOnly;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** What happens by itself: in every instance, and in the one that leads. What happens in one of them each time is {@link Nightly}. */
@Component
public class Schedule {

    private static final Logger LOG = LoggerFactory.getLogger(Schedule.class);
    private static final int SOME = 20;

    private final OrderStore orders;
    private final Shipping shipping;
    private final Journal journal;

    Schedule(OrderStore orders, Shipping shipping, Journal journal) {
        this.orders = orders;
        this.shipping = shipping;
        this.journal = journal;
    }

    /** Every instance picks up what is paid, so they get in each other's way all the time. The lock in {@link Shipping} sorts that out. */
    @Scheduled(fixedDelayString = "${sample.pick-up-every}", initialDelayString = "${sample.pick-up-every}")
    public void pickUp() {
        for (long id : orders.paid(SOME)) {
            try {
                shipping.ship(id);
            } catch (HoldfastException e) {
                LOG.warn("Order {} is left to the next round: {}", id, e.getMessage());
            }
        }
    }

    /** In the instance that leads, until it dies or stops; then another one leads. */
    @Scheduled(fixedRateString = "${sample.report-every}")
    @LeaderOnly("report")
    public void report() {
        long term = Holdfast.currentLease().orElseThrow().fencingToken();
        journal.write("report", orders.paid(SOME).size() + " to ship", term);
    }
}
