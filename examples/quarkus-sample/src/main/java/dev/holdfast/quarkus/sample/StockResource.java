package dev.holdfast.quarkus.sample;

import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.io.IOException;

/** The HTTP API of the stock. */
@Path("/stock")
public class StockResource {

    private final Stock stock;

    @Inject
    public StockResource(Stock stock) {
        this.stock = stock;
    }

    /** Takes a piece, and answers with its number and the fencing token. */
    @POST
    @Path("/{article}")
    public String take(String article) throws IOException {
        Stock.Piece piece = stock.take(article, null);
        return piece.number() + " " + piece.token();
    }
}
