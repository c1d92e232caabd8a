package user;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.spring.Locked;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.stereotype.Service;

/** A lock by hand, and one by annotation. */
@SpringBootApplication
public class Application {

    public static void main(String[] args) throws InterruptedException {
        try (ConfigurableApplicationContext application = SpringApplication.run(Application.class, args)) {
            Holdfast holdfast = application.getBean(Holdfast.class);
            long before;
            try (Lease lease = holdfast.lock("orders:42").acquire(Duration.ofSeconds(5))) {
                before = lease.fencingToken();
            }
            long after = application.getBean(Orders.class).ship(42, null);
            if (after <= before) {
                throw new IllegalStateException("token " + after + " after " + before);
            }
            System.out.println("starter: token " + after + " after " + before);
        }
    }

    @Service
    static class Orders {

        @Locked(name = "orders", key = "#order", waitFor = "5s")
        public long ship(int order, Lease lease) {
            return lease.fencingToken();
        }
    }
}
