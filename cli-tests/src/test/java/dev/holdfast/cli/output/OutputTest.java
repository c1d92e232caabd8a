package dev.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The printed output: tables, JSON, and text from other programs. */
class OutputTest {

    @Test
    void columnsAreAsWideAsTheyMustBe() {
        assertThat(new Table("NAME", "N").row("a", 100).row("longer", "").toString())
                .isEqualTo("NAME    N\na       100\nlonger  -\n");
    }

    @Test
    void widthIsCountedInCharactersThatAreSeen() {
        assertThat(new Table("N", "X").row("🔒🔒", 1).toString()).isEqualTo("N   X\n🔒🔒  1\n");
    }

    @Test
    void controlCharactersDoNotReachTheTerminal() {
        assertThat(Printable.line("a\u001b[2Jb\nc\u202ed\ud800")).isEqualTo("a\\u001B[2Jb\\u000Ac\\u202Ed\\uD800");
        assertThat(new Table("N").row("x\ny").toString()).isEqualTo("N\nx\\u000Ay\n");
    }

    @Test
    void longTextIsCut() {
        assertThat(Printable.line("x".repeat(1 << 20))).hasSizeLessThan(4_100).endsWith("…");
        assertThat(Printable.line("abcdef", 4)).isEqualTo("abc…");
        assertThat(Printable.line("abcd", 4)).isEqualTo("abcd");
    }

    @Test
    void jsonIsOneObjectOnOneLine() {
        assertThat(JsonText.object(json -> json.field("text", "a\"\n")
                        .field("number", 9_007_199_254_740_991L)
                        .field("absent", (Long) null)
                        .field("yes", true)
                        .texts("list", java.util.List.of("x"))
                        .objects("things", java.util.List.of(1L), n -> json.field("n", n))))
                .isEqualTo(
                        "{\"text\":\"a\\\"\\n\",\"number\":9007199254740991,\"absent\":null,\"yes\":true,\"list\":[\"x\"],"
                                + "\"things\":[{\"n\":1}]}\n");
    }
}
