package dev.holdfast.quarkus.sample;

import dev.holdfast.cdi.Locked;
import dev.holdfast.lock.Lease;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The stock. Instances take turns for each article. */
@ApplicationScoped
public class Stock {

    private final StockFile file;

    @Inject
    public Stock(StockFile file) {
        this.file = file;
    }

    /** One piece that was taken. */
    public record Piece(String article, int number, long token) {}

    @Locked(name = "stock", key = "article", waitFor = "20s")
    public Piece take(String article, @Nullable Lease lease) throws IOException {
        int number = file.taken(article) + 1;
        file.write(article, number);
        return new Piece(article, number, Objects.requireNonNull(lease).fencingToken());
    }
}
