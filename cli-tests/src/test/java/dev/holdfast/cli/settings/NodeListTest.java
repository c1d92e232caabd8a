package dev.holdfast.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeListTest {

    @Test
    void commasAndBlanksPartNodes() {
        assertThat(NodeList.parse("redis://a:1,redis://b:2 rediss://c:3\n memory:\tmemory:x, redis://d"))
                .containsExactly("redis://a:1", "redis://b:2", "rediss://c:3", "memory:", "memory:x", "redis://d");
    }

    @Test
    void commasWithinAUriStay() {
        assertThat(NodeList.parse(
                        "redis-sentinel://h1:26379,h2:26379,h3/main,redis-cluster://c1:7000,c2:7000 redis://x"))
                .containsExactly(
                        "redis-sentinel://h1:26379,h2:26379,h3/main", "redis-cluster://c1:7000,c2:7000", "redis://x");
    }

    @Test
    void urlsOfTheJdbcDriverAreNodes() {
        assertThat(NodeList.parse("redis://a:1,jdbc:postgresql://b,c/locks,jdbc:postgresql://d/locks"))
                .containsExactly("redis://a:1", "jdbc:postgresql://b,c/locks", "jdbc:postgresql://d/locks");
    }

    @Test
    void nothingIsNoNode() {
        assertThat(NodeList.parse("")).isEmpty();
        assertThat(NodeList.parse(" \n\t")).isEmpty();
        assertThat(NodeList.parse(",")).isEmpty();
    }

    @Test
    void endingsDoNoHarm() {
        assertThat(NodeList.parse(" redis://a:1, ")).containsExactly("redis://a:1");
        assertThat(NodeList.parse("redis://a:1,")).containsExactly("redis://a:1");
    }
}
