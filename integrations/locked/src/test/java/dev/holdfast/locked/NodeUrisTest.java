package dev.holdfast.locked;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NodeUrisTest {

    private static List<String> separated(String text) {
        return NodeUris.whole(List.of(text.split(",")));
    }

    @Test
    void hostsOfOneNodeStayTogether() {
        assertThat(separated("redis-sentinel://a:1,b:2, c:3?master=m,redis://d,rediss-cluster://e:1,f:2"))
                .containsExactly("redis-sentinel://a:1,b:2,c:3?master=m", "redis://d", "rediss-cluster://e:1,f:2");
        assertThat(separated("postgresql://u@a:1,b:2/locks,memory:x"))
                .containsExactly("postgresql://u@a:1,b:2/locks", "memory:x");
        assertThat(separated("postgresql://a/locks,jdbc:postgresql://b:1,c:2/locks?ssl,jdbc:postgresql://d/locks"))
                .containsExactly(
                        "postgresql://a/locks", "jdbc:postgresql://b:1,c:2/locks?ssl", "jdbc:postgresql://d/locks");
    }

    @Test
    void serversOfOneStrictClusterStayTogether() {
        assertThat(separated("holdfast://a:1,b:2, c:3")).containsExactly("holdfast://a:1,b:2,c:3");
        assertThat(separated("holdfasts://:token@a,b,holdfast://c,holdfast://d"))
                .containsExactly("holdfasts://:token@a,b", "holdfast://c", "holdfast://d");
    }

    @Test
    void anythingElseIsLeftAsItIs() {
        assertThat(separated("redis://a,b,htp://c")).containsExactly("redis://a", "b", "htp://c");
        assertThat(NodeUris.whole(List.of("redis-sentinel://a,b?master=m")))
                .containsExactly("redis-sentinel://a,b?master=m");
        assertThat(NodeUris.whole(List.of())).isEmpty();
    }
}
