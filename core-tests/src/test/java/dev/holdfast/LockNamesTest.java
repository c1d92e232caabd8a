package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.List;
import org.junit.jupiter.api.Test;

class LockNamesTest {

    private static void refused(String name, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.resource("lock:", name))
                .satisfies(e -> assertThat(e.getMessage())
                        .contains(why)
                        .hasSizeLessThan(300)
                        .doesNotContain("\n", "\r", "\0"));
    }

    @Test
    void namesOfManyKindsAreFine() {
        List<String> names = List.of(
                "orders:42",
                "a",
                " leading and trailing ",
                "naïve",
                "\uD83D\uDD12",
                "日本",
                "{group}name",
                "name{group}",
                "{a}{b}",
                "a\"b'c\\d*?[x]",
                "-n",
                "../etc",
                "%s%n",
                "x".repeat(1019));
        assertThat(names)
                .allSatisfy(
                        name -> assertThat(LockNames.resource("lock:", name)).isEqualTo("lock:" + name));
        assertThat(LockNames.resource("", "bare")).isEqualTo("bare");
        assertThat(LockNames.resource("{all}:", "x")).isEqualTo("{all}:x");
    }

    @Test
    void emptyAndTooLongAreRefused() {
        refused("", "is empty, but must have 1 to 1024 bytes");
        refused("x".repeat(1020), "has 1025 bytes with the key prefix, but may have 1024");
        refused("é".repeat(510), "has 1025 bytes");
        refused("x".repeat(1 << 20), "has 1048581 bytes");
        assertThatNullPointerException()
                .isThrownBy(() -> LockNames.resource("lock:", null))
                .withMessage("name");
    }

    @Test
    void controlCharactersAndBrokenSurrogatesAreRefusedAndShownAsCodes() {
        refused("a\0b", "U+0000");
        refused("a\r\nb", "U+000D");
        refused("a\tb", "U+0009");
        refused("a\u007fb", "U+007F");
        refused("a\u0085b", "U+0085");
        refused("\uD83D", "half a surrogate pair");
        refused("x\uDD12y", "\\uDD12");
    }

    @Test
    void bracesThatAreNoHashTagAreRefused() {
        List.of("{}", "{", "}", "a{b", "a}b", "}{", "{}x{y}", "a}b{c}").forEach(name -> refused(name, "hash tag"));
    }

    @Test
    void whatMarksSideKeysIsRefused() {
        refused("{x}:holdfast:queue", "marks the side keys");
    }

    @Test
    void prefixesFollowTheSameRulesAndMayBeEmpty() {
        assertThat(LockNames.prefix("keyPrefix", "")).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.prefix("keyPrefix", "a\0"))
                .withMessageContaining("keyPrefix 'a\\u0000' holds the control character U+0000");
    }

    @Test
    void c16_noLockMeetsTheKeysOfHoldfastItself() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.prefix("keyPrefix", "holdfast:"))
                .withMessage("keyPrefix 'holdfast:' makes the key 'holdfast:', but keys that begin with 'holdfast:' are"
                        + " Holdfast's own, such as the epoch of a node");
        assertThatIllegalArgumentException().isThrownBy(() -> LockNames.prefix("keyPrefix", "holdfast:push:"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.resource("hold", "fast:epoch"))
                .withMessageContaining("'holdfast:epoch'");
        assertThatIllegalArgumentException().isThrownBy(() -> LockNames.resource("", "holdfast:epoch"));
        assertThat(LockNames.resource("lock:", "holdfast:epoch")).isEqualTo("lock:holdfast:epoch");
        assertThat(LockNames.prefix("keyPrefix", "holdfast-")).isEqualTo("holdfast-");
    }
}
