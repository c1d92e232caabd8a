package dev.holdfast.torture.fault;

import dev.holdfast.torture.world.Claims;
import dev.holdfast.torture.world.World;
import java.time.Duration;
import java.util.Random;

/** The choice of a server by its part in the cluster. */
final class Lead {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Lead() {}

    /** Claims the server that leads, or another one that is drawn at random. While it waits for the claim, the lead may move. */
    static Claims.Claim claim(World world, Random random, boolean leader) throws InterruptedException {
        while (true) {
            int leading = world.cluster().awaitLeader(PATIENCE);
            int servers = world.cluster().processes().size();
            int number = leader ? leading : (leading + 1 + random.nextInt(servers - 1)) % servers;
            Claims.Claim claim = world.serverClaims().takeThis(number);
            if (leader == world.cluster().leader().map(now -> now == number).orElse(false)) {
                return claim;
            }
            claim.close();
            world.rest(Duration.ofMillis(50));
        }
    }
}
