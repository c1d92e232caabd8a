package modular;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import java.time.Duration;

/** The same lock in a modular program, in which the client must find the providers of nodes as well. */
public final class Main {

    public static void main(String[] args) throws InterruptedException {
        try (Holdfast holdfast = Holdfast.connect("memory:");
                Lease lease = holdfast.lock("orders:42").acquire(Duration.ofSeconds(5))) {
            System.out.println(Holdfast.class.getModule() + ": token " + lease.fencingToken());
        }
        if (!Holdfast.class.getModule().isNamed()) {
            throw new IllegalStateException("on the class path");
        }
        try (Holdfast holdfast = Holdfast.connect("redis://localhost:1")) {
            System.out.println("redis: " + holdfast.lock("orders:42").tryAcquire());
        }
    }
}
