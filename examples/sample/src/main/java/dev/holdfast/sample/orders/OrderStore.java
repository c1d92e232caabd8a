package dev.holdfast.sample.orders;

import dev.holdfast.fence.ColumnGuard;
import dev.holdfast.sample.orders.Order.State;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The orders in PostgreSQL; {@code schema.sql} has the tables. */
@Repository
public class OrderStore {

    private static final ColumnGuard FENCE = new ColumnGuard("orders", "id", "fence");

    private final JdbcTemplate jdbc;
    private final JdbcClient sql;
    private final Journal journal;
    private final double packingSeconds;

    OrderStore(JdbcTemplate jdbc, Journal journal, @Value("${sample.packing-seconds}") double packingSeconds) {
        this.jdbc = jdbc;
        this.sql = JdbcClient.create(jdbc);
        this.journal = journal;
        this.packingSeconds = packingSeconds;
    }

    /** The outcome of a request to ship; {@code order} is the present state of the order. */
    public record Shipment(Outcome outcome, Order order) {

        public enum Outcome {
            SHIPPED,
            ALREADY_SHIPPED,
            NOT_PAID
        }
    }

    /** Places an order, or finds the one that was placed with this key before. */
    @Transactional
    public Order place(String key, NewOrder order) {
        int placed = sql.sql("INSERT INTO orders (key, customer, cents) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING")
                .params(key, order.customer(), order.cents())
                .update();
        long id = sql.sql("SELECT id FROM orders WHERE key = ?")
                .param(key)
                .query(Long.class)
                .single();
        if (placed == 1) {
            journal.write("placed", id, 0);
        }
        return find(id).orElseThrow();
    }

    public Optional<Order> find(long id) {
        return sql.sql("SELECT id, customer, cents, state, fence FROM orders WHERE id = ?")
                .param(id)
                .query(Order.class)
                .optional();
    }

    /** Returns the orders that wait for shipment, the oldest first. */
    public List<Long> paid(int limit) {
        return sql.sql("SELECT id FROM orders WHERE state = 'PAID' ORDER BY id LIMIT ?")
                .param(limit)
                .query((row, number) -> row.getLong("id"))
                .list();
    }

    /**
     * Records a payment. The message is a unique key: if an instance dies between this call and its seal, a second call
     * changes nothing.
     */
    @Transactional
    public void pay(Payment payment, long token) {
        journal.write("payment", payment.message(), token);
        int fresh = sql.sql("INSERT INTO payment (message, order_id) VALUES (?, ?) ON CONFLICT DO NOTHING")
                .params(payment.message(), payment.order())
                .update();
        if (fresh == 1) {
            sql.sql("UPDATE orders SET state = 'PAID' WHERE id = ? AND state = 'NEW'")
                    .param(payment.order())
                    .update();
        }
    }

    /**
     * Ships within the caller's transaction. The check comes before the first read. It raises the row's fence to this
     * token and keeps the row locked until the end, so no former holder of the lock changes what is read here. The
     * check throws if the row has seen a larger token.
     */
    public Shipment ship(long id, long token) {
        jdbc.execute((Connection connection) -> {
            FENCE.check(connection, id, token); // UPDATE orders SET fence = token WHERE id = ? AND fence <= token
            return true;
        });
        Order order = find(id).orElseThrow();
        if (order.state() != State.PAID) {
            boolean shipped = order.state() == State.SHIPPED;
            return new Shipment(shipped ? Shipment.Outcome.ALREADY_SHIPPED : Shipment.Outcome.NOT_PAID, order);
        }
        pack();
        sql.sql("UPDATE orders SET state = 'SHIPPED' WHERE id = ?").param(id).update();
        journal.write("shipped", id, token);
        return new Shipment(Shipment.Outcome.SHIPPED, find(id).orElseThrow());
    }

    /** Packs the order, which takes time and must not happen twice. */
    private void pack() {
        sql.sql("SELECT pg_sleep(?)").param(packingSeconds).query().listOfRows();
    }
}
