package dev.holdfast.sample.orders;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.spring.LeaderOnly;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** The scheduled work of every instance, and of the leader. {@link Nightly} is the work of one instance each time. */
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

    /**
     * Ships paid orders. Every instance does so, so they contend all the time; the lock in {@link Shipping} resolves
     * that.
     */
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

    /** Writes a report, in the instance that leads. When it dies or stops, another one leads. */
    @Scheduled(fixedRateString = "${sample.report-every}")
    @LeaderOnly("report")
    public void report() {
        long term = Holdfast.currentLease().orElseThrow().fencingToken();
        journal.write("report", orders.paid(SOME).size() + " to ship", term);
    }
}
