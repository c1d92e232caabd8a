package dev.holdfast.sample.orders;

import dev.holdfast.Holdfast;
import dev.holdfast.sample.orders.OrderStore.Shipment;
import dev.holdfast.spring.Locked;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * The shipment of orders, for any number of concurrent callers.
 *
 * <p>The lock is acquired before the transaction begins, and released after it has committed. It makes one instance
 * work on an order; the waiters then find it shipped. It can't stop a paused instance from writing late. The token in
 * the SQL does that.
 */
@Service
public class Shipping {

    private final OrderStore orders;

    Shipping(OrderStore orders) {
        this.orders = orders;
    }

    /** Ships a paid order, unless it was shipped before. */
    @Locked(name = "orders", key = "#id", waitFor = "5s")
    @Transactional
    public Shipment ship(long id) {
        long token = Holdfast.currentLease().orElseThrow().fencingToken();
        return orders.ship(id, token);
    }
}
