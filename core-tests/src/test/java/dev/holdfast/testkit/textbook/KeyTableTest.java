package dev.holdfast.testkit.textbook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Keys are created, compared, and expire. */
class KeyTableTest {

    private final KeyTable table = new KeyTable();

    @Test
    void aKeyIsThereThroughItsLastMillisecond() {
        assertThat(table.setIfAbsent("k", "a", 10, 100)).isTrue();
        assertThat(table.setIfAbsent("k", "b", 10, 110)).isFalse();
        assertThat(table.setIfAbsent("k", "b", 10, 111)).isTrue();
        assertThat(table.value("k", 111)).isEqualTo("b");
    }

    @Test
    void onlyTheSameValueDeletesOrExpires() {
        table.setIfAbsent("k", "a", 10, 100);
        assertThat(table.deleteIfEqual("k", "b", 100)).isFalse();
        assertThat(table.expireIfEqual("k", "b", 50, 100)).isFalse();
        assertThat(table.expireIfEqual("k", "a", 50, 100)).isTrue();
        assertThat(table.value("k", 150)).isEqualTo("a");
        assertThat(table.deleteIfEqual("k", "a", 150)).isTrue();
        assertThat(table.deleteIfEqual("k", "a", 150)).isFalse();
        assertThat(table.size(150)).isZero();
    }

    @Test
    void whatHasExpiredIsNeitherDeletedNorExpiredNorCounted() {
        table.setIfAbsent("k", "a", 10, 100);
        assertThat(table.size(111)).isZero();
        table.setIfAbsent("k", "a", 10, 200);
        assertThat(table.expireIfEqual("k", "a", 10, 211)).isFalse();
        assertThat(table.deleteIfEqual("k", "a", 211)).isFalse();
    }
}
