package dev.holdfast.sample.orders;

import dev.holdfast.Holdfast;
import dev.holdfast.recipe.OnceGuard;
import java.time.Duration;
import org.springframework.stereotype.Service;

/**
 * The handler of payment messages. It handles each message once, even if several instances receive it, at the same time
 * or days later.
 */
@Service
public class Payments {

    /** How long a seal lasts: longer than the provider goes on repeating a delivery. */
    private static final Duration RETENTION = Duration.ofDays(7);

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Holdfast holdfast;
    private final OrderStore orders;

    Payments(Holdfast holdfast, OrderStore orders) {
        this.holdfast = holdfast;
        this.orders = orders;
    }

    /** The outcome of a delivery; after {@code BUSY} the provider must deliver it again. */
    public enum Receipt {
        BOOKED,
        ALREADY_BOOKED,
        BUSY
    }

    public Receipt handle(Payment payment) throws InterruptedException {
        OnceGuard once = holdfast.once("payment:" + payment.message(), RETENTION);
        OnceGuard.Outcome<Boolean> outcome = once.run(PATIENCE, lease -> orders.pay(payment, lease.fencingToken()));
        if (outcome instanceof OnceGuard.Done) {
            return Receipt.BOOKED;
        }
        return outcome instanceof OnceGuard.AlreadyDone ? Receipt.ALREADY_BOOKED : Receipt.BUSY;
    }
}
