package dev.holdfast.spring.shop;

// readme:begin
import dev.holdfast.spring.Locked;
import org.springframework.stereotype.Service;

@Service
public class Shipping {

    @Locked(name = "orders", key = "#id", waitFor = "100ms")
    public String ship(String id) {
        return "shipped " + id;
    }
}
// readme:end
