package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.holdfast.cluster.Spreading.Move;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The choice of the groups whose leads go to other servers. */
class SpreadingTest {

    private static final PeerId A = new PeerId("127.0.0.1", 7001, 11);
    private static final PeerId B = new PeerId("127.0.0.1", 7002, 12);
    private static final PeerId C = new PeerId("127.0.0.1", 7003, 13);

    @Test
    void aServerWithTwoGroupsMoreThanAnotherOneGivesOneAway() {
        assertThat(Spreading.choose(Map.of(0, List.of(B), 1, List.of(B)), Map.of(B, 0)))
                .isPresent();
        assertThat(Spreading.choose(Map.of(0, List.of(B), 1, List.of(B)), Map.of(B, 1)))
                .as("one more than the other")
                .isEmpty();
        assertThat(Spreading.choose(Map.of(0, List.of(B)), Map.of(B, 0))).isEmpty();
        assertThat(Spreading.choose(Map.of(0, List.of(), 1, List.of()), Map.of()))
                .as("no other server could lead")
                .isEmpty();
    }

    @Test
    void theServerWithTheFewestLeadsGetsAGroupThatPrefersIt() {
        assertThat(Spreading.choose(
                        Map.of(0, List.of(B, C), 1, List.of(C, B), 2, List.of(B, C), 3, List.of(B, C)),
                        Map.of(B, 1, C, 0)))
                .contains(new Move(1, C));
        assertThat(Spreading.preferred(List.of(C, A, B), 0)).containsExactly(A, B, C);
        assertThat(Spreading.preferred(List.of(C, A, B), 1)).containsExactly(B, C, A);
        assertThat(Spreading.preferred(List.of(C, A, B), 5)).containsExactly(C, A, B);
    }

    /** From any leads at first, the numbers end at most one apart, and then nothing moves. */
    @Test
    void theLeadsEndSpread() {
        long seed = System.nanoTime();
        System.out.println("SpreadingTest: seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            List<PeerId> members = List.of(A, B, C).subList(0, 1 + random.nextInt(3));
            Map<Integer, PeerId> leaders = new TreeMap<>();
            int groups = 1 + random.nextInt(12);
            for (int group = 0; group < groups; group++) {
                leaders.put(group, members.get(random.nextInt(members.size())));
            }
            int moves = 0;
            while (step(members, leaders, random)) {
                assertThat(++moves).as("seed " + seed).isLessThanOrEqualTo(groups);
            }
            List<Integer> counts = new ArrayList<>(counts(members, leaders).values());
            counts.sort(null);
            assertThat(counts.get(counts.size() - 1) - counts.get(0))
                    .as("seed " + seed)
                    .isLessThanOrEqualTo(1);
        }
    }

    private static Map<PeerId, Integer> counts(List<PeerId> members, Map<Integer, PeerId> leaders) {
        Map<PeerId, Integer> counts = new HashMap<>();
        members.forEach(member -> counts.put(member, 0));
        leaders.values().forEach(leader -> counts.merge(leader, 1, Integer::sum));
        return counts;
    }

    /** Makes a transfer of a server that wants one, and returns whether there is one. */
    private static boolean step(List<PeerId> members, Map<Integer, PeerId> leaders, Random random) {
        List<Move> wanted = new ArrayList<>();
        for (PeerId self : members) {
            Map<Integer, List<PeerId>> candidates = new TreeMap<>();
            leaders.forEach((group, leader) -> {
                if (leader.equals(self)) {
                    List<PeerId> others = new ArrayList<>(Spreading.preferred(members, group));
                    others.remove(self);
                    candidates.put(group, others);
                }
            });
            Optional<Move> move = Spreading.choose(candidates, counts(members, leaders));
            move.ifPresent(wanted::add);
        }
        if (wanted.isEmpty()) {
            return false;
        }
        Move move = wanted.get(random.nextInt(wanted.size()));
        leaders.put(move.group(), move.to());
        return true;
    }
}
