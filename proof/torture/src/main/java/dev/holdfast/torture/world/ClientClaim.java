package dev.holdfast.torture.world;

import java.util.List;

/**
 * A claim of one client of each algorithm, which closing releases. A fault strikes both at the same moment, so that the
 * algorithms can be compared.
 */
public final class ClientClaim implements AutoCloseable {

    private final List<Claims.Claim> claims;
    private final List<Integer> numbers;
    private final List<ClientSlot> clients;

    ClientClaim(List<Claims.Claim> claims, List<Integer> numbers, List<ClientSlot> clients) {
        this.claims = List.copyOf(claims);
        this.numbers = List.copyOf(numbers);
        this.clients = List.copyOf(clients);
    }

    /** Returns the clients' numbers in the {@link Network}. */
    public List<Integer> numbers() {
        return numbers;
    }

    /** Returns the clients. */
    public List<ClientSlot> clients() {
        return clients;
    }

    @Override
    public void close() {
        claims.forEach(Claims.Claim::close);
    }
}
