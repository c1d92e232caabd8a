package dev.holdfast.sample.orders;

import dev.holdfast.Holdfast;
import dev.holdfast.sample.orders.OrderStore.Shipment;
import dev.holdfast.spring.Locked;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Ships orders, whoever asks, and however many ask at the same time.
 *
 * <p>The lock is acquired before the transaction begins and released after it has committed. It sees to it that one instance works on an order,
 * and those that wait find it shipped. What it can't do is stop an instance that stood still from writing late; that is what the token is for, which
 * goes into the SQL.
 */
@Service
public class Shipping {

    private final OrderStore orders;

    Shipping(OrderStore orders) {
        this.orders = orders;
    }

    /** Ships a paid order, if it was not yet. */
    @Locked(name = "orders", key = "#id", waitFor = "5s")
    @Transactional
    public Shipment ship(long id) {
        long token = Holdfast.currentLease().orElseThrow().fencingToken();
        return orders.ship(id, token);
    }
}
