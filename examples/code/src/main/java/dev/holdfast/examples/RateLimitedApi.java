package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.recipe.LockSemaphore;
import java.time.Duration;
import java.util.function.Supplier;

/** A client of a service that accepts three requests at a time from all machines together. */
public final class RateLimitedApi {

    private final LockSemaphore permits;

    /** Creates an API client whose permits are on the nodes of this Holdfast client. */
    public RateLimitedApi(Holdfast holdfast) {
        this.permits = holdfast.semaphore("geocoder", 3);
    }

    /** Makes a request while holding a permit. */
    public <T> T request(Supplier<T> request) throws InterruptedException {
        // recipe:begin
        try (Lease permit = permits.acquire(Duration.ofSeconds(30))) {
            return request.get();
        }
        // recipe:end
    }

    /** Makes ten requests. The arguments are the nodes; without any, locks are in memory. */
    public static void main(String[] arguments) throws InterruptedException {
        try (Holdfast holdfast = Holdfast.connect(Nodes.orMemory(arguments, 0))) {
            RateLimitedApi api = new RateLimitedApi(holdfast);
            for (int i = 0; i < 10; i++) {
                int street = i;
                System.out.println(api.request(() -> "street " + street));
            }
        }
    }
}
