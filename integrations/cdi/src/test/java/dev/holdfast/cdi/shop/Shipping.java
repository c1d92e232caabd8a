package dev.holdfast.cdi.shop;

// readme:begin
import dev.holdfast.cdi.Locked;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
public class Shipping {

    public record Order(String id) {}

    @Locked(name = "orders", key = "order.id", waitFor = "100ms")
    public String ship(Order order) {
        return "shipped " + order.id();
    }
}
// readme:end
