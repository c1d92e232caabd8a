package dev.holdfast.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.awt.Color;
import org.junit.jupiter.api.Test;

/** Tables and pictures. */
class ReportPartsTest {

    @Test
    void aTableIsQuotedWhereItMustBe() {
        Csv csv = new Csv("client", "ms");
        csv.row("a,b \"c\"", 1.005e3);

        assertThat(csv.text()).isEqualTo("client,ms\n\"a,b \"\"c\"\"\",1005.00\n");
        assertThatIllegalArgumentException().isThrownBy(() -> csv.row("alone"));
    }

    @Test
    void barsAreDrawnInTheirColoursAndTheSameWayEachTime() {
        assertThat(bars(1_000))
                .isEqualTo(bars(1_000))
                .contains("rgb(0,114,178)", "one side")
                .isNotEqualTo(bars(500));
    }

    private static String bars(double value) {
        SvgBars bars = new SvgBars("title", "axis");
        bars.bar("one side", new Color(0x0072B2), "group", value);
        bars.bar("other side", Color.RED, "group", 1);
        bars.logarithmic();
        return bars.text();
    }
}
