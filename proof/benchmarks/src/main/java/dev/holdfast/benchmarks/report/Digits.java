package dev.holdfast.benchmarks.report;

import java.util.Locale;

/** Numbers for people. */
public final class Digits {

    private static final double HUNDRED = 100;
    private static final double TEN = 10;

    private Digits() {}

    /** With three digits or more, those before the point in groups. */
    public static String of(double value) {
        if (Double.isInfinite(value)) {
            return "∞";
        }
        int decimals = value == Math.rint(value) || Math.abs(value) >= HUNDRED ? 0 : Math.abs(value) >= TEN ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
