package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.util.Random;

/** A PostgreSQL primary that is killed, and whose standby is promoted. */
final class PromoteStandby implements Fault {

    private final boolean synchronous;

    /**
     * Creates the fault.
     *
     * @param synchronous whether each commit waits for the standby; otherwise the standby also lags behind when its primary dies
     */
    PromoteStandby(boolean synchronous) {
        this.synchronous = synchronous;
    }

    @Override
    public String name() {
        return (synchronous ? "synchronous" : "asynchronous, lagging") + " standby promoted";
    }

    @Override
    public void strike(World world, Random random) throws InterruptedException {
        try (Claims.Claim claim = world.serverClaims().take(1, random)) {
            if (!synchronous) {
                world.postgres(claim.number()).loosen();
                world.rest(Lengths.blink(random));
                world.postgres(claim.number()).pauseStandby();
                world.rest(Lengths.blink(random));
            }
            world.postgres(claim.number()).failOver();
            world.rest(Lengths.aroundTtl(random));
        }
    }
}
