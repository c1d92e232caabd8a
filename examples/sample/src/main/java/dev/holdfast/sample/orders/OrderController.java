package dev.holdfast.sample.orders;

import dev.holdfast.sample.orders.OrderStore.Shipment;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Orders and payments over HTTP. A client may send every request twice, and to any instance. */
@RestController
class OrderController {

    private static final int LONGEST_KEY = 100;

    private final OrderStore orders;
    private final Shipping shipping;
    private final Payments payments;

    OrderController(OrderStore orders, Shipping shipping, Payments payments) {
        this.orders = orders;
        this.shipping = shipping;
        this.payments = payments;
    }

    /** Places an order. Requests with the same key get the same order, at any instance. */
    @PostMapping("/orders")
    Order place(@RequestHeader("Idempotency-Key") String key, @RequestBody NewOrder wanted) {
        Order order = orders.place(Texts.required("Idempotency-Key", key, LONGEST_KEY), wanted);
        if (!order.customer().equals(wanted.customer()) || order.cents() != wanted.cents()) {
            throw new ResponseStatusException(
                    HttpStatus.UNPROCESSABLE_CONTENT, "another order was placed with this Idempotency-Key");
        }
        return order;
    }

    @GetMapping("/orders/{id}")
    Order look(@PathVariable long id) {
        return orders.find(id)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "there is no order " + id));
    }

    @PostMapping("/orders/{id}/ship")
    ResponseEntity<Shipment> ship(@PathVariable long id) {
        look(id);
        Shipment shipment = shipping.ship(id);
        boolean early = shipment.outcome() == Shipment.Outcome.NOT_PAID;
        return ResponseEntity.status(early ? HttpStatus.CONFLICT : HttpStatus.OK)
                .body(shipment);
    }

    /** Accepts a payment. The provider delivers it again unless the answer is 200. */
    @PostMapping("/payments")
    ResponseEntity<Payments.Receipt> pay(@RequestBody Payment payment) throws InterruptedException {
        look(payment.order());
        Payments.Receipt receipt = payments.handle(payment);
        boolean busy = receipt == Payments.Receipt.BUSY;
        return ResponseEntity.status(busy ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.OK)
                .body(receipt);
    }
}
