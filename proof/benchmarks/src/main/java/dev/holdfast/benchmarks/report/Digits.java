package dev.holdfast.benchmarks.report;

import java.util.Locale;

/** Numbers in a readable form. */
public final class Digits {

    private static final double HUNDRED = 100;
    private static final double TEN = 10;

    private Digits() {}

    /** Returns a number with three digits or more, and groups those before the decimal point. */
    public static String of(double value) {
        if (Double.isInfinite(value)) {
            return "∞";
        }
        int decimals = value == Math.rint(value) || Math.abs(value) >= HUNDRED ? 0 : Math.abs(value) >= TEN ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
