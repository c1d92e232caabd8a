package dev.holdfast.simulator;

import dev.holdfast.simulator.SimServer.Standing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One use of {@code holdfast bootstrap} by an operator (PROTOCOL §5). The command asks all nodes twice. If no answer has changed, and no client has ever
 * asked a node for a vote, no node had given a vote at a moment between the two rounds. From that moment on, a node lacks no promise unless
 * its disk is lost, and then its incarnation differs.
 */
final class Bootstrapping {

    private static final int ROUNDS = 2;
    private static final long QUICK_NANOS = 1_000_000;

    private final Schedule schedule;

    /** Whether half of the messages are slow, since a node answers slowly or a request is sent again. A slow command asks one node after the other. */
    private final boolean slow;

    private final Map<SimServer, Standing> known = new LinkedHashMap<>();
    private int round;
    private int missing;
    private boolean refused;

    private Bootstrapping(Schedule schedule) {
        this.schedule = schedule;
        this.slow = schedule.chance(0.5);
    }

    static void start(Schedule schedule) {
        new Bootstrapping(schedule).ask();
    }

    private void ask() {
        round++;
        missing = schedule.servers().size();
        long nanos = 0;
        for (SimServer server : inAnyOrder()) {
            nanos = slow ? nanos + wayNanos() : wayNanos();
            schedule.after(nanos, () -> {
                Standing standing = server.standing();
                schedule.after(wayNanos(), () -> answered(server, standing));
            });
        }
    }

    private List<SimServer> inAnyOrder() {
        List<SimServer> servers = new ArrayList<>(schedule.servers());
        Collections.rotate(servers, schedule.random().nextInt(servers.size()));
        return servers;
    }

    private void answered(SimServer server, @Nullable Standing standing) {
        missing--;
        Standing before = known.put(server, standing == null ? new Standing(0, true) : standing);
        boolean answers = standing != null;
        boolean isNew = standing == null || !standing.asked();
        boolean isSame = standing == null || before == null || standing.equals(before);
        refused |= !answers || !isNew || !isSame;
        if (missing == 0 && !refused) {
            if (round < ROUNDS) {
                ask();
            } else {
                record();
            }
        }
    }

    private void record() {
        known.forEach((server, standing) -> {
            int requests = 1 + schedule.random().nextInt(2);
            for (int i = 0; i < requests; i++) {
                schedule.after(wayNanos(), () -> server.bootstrap(standing.incarnation()));
            }
        });
    }

    private long wayNanos() {
        return slow && schedule.chance(0.5)
                ? schedule.slowNanos()
                : schedule.random().nextLong(QUICK_NANOS);
    }
}
