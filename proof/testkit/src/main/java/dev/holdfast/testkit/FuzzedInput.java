package dev.holdfast.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The inputs that a seed generates, from valid examples or from nothing: mutated texts and bytes, and the numbers at
 * which arithmetic breaks.
 */
public final class FuzzedInput {

    private static final String[] ODD = {
        "",
        " ",
        "\n",
        "\r\n",
        "\0",
        "\t",
        "%",
        "%2",
        "%00",
        "%zz",
        "%ff",
        "%C3",
        "{",
        "}",
        "{}",
        "{a}",
        "}:holdfast:",
        "/",
        "//",
        "://",
        ":",
        "::",
        "@",
        "@@",
        "?",
        "#",
        "&",
        "=",
        ",",
        ";",
        "[",
        "]",
        "[::1]",
        "~",
        "-",
        "--",
        "-1",
        "0",
        "+",
        ".",
        "..",
        "*",
        "$",
        "\\",
        "'",
        "\"",
        "\ud800",
        "\udc00",
        "\ud83d\ude00",
        "\ufffd",
        "\u202e",
        "\u0130",
        "\u00e9",
        "\u0661",
        "\u007f",
        "1e9",
        "0x10",
        "NaN",
        "999999999999999999999",
        "9223372036854775807",
        "-9223372036854775808",
        "9007199254740993",
        "2147483648",
        "null",
    };

    private static final long[] EDGES = {
        0,
        1,
        -1,
        2,
        49,
        50,
        51,
        999,
        1000,
        86_400_000,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        1L << 32,
        1L << 42,
        (1L << 42) + 1,
        (1L << 53) - 1,
        1L << 53,
        (1L << 53) + 1,
        1L << 62,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MAX_VALUE / 1000,
        Long.MAX_VALUE / 1_000_000,
        Long.MAX_VALUE / 1_000_000 + 1,
    };

    private static final int REPEATED_UP_TO = 300;
    private static final int LONGEST_SHOWN = 400;

    private final RandomGenerator random;
    private final List<String> made = new ArrayList<>();
    private long state;

    /** Creates the inputs of a seed. The same seed makes the same inputs for the same calls. */
    public FuzzedInput(long seed) {
        state = seed * 0x9E3779B97F4A7C15L;
        random = this::next;
    }

    /**
     * Returns the next random number by SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
     * generators").
     */
    private long next() {
        state += 0x9E3779B97F4A7C15L;
        long once = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        long twice = (once ^ (once >>> 27)) * 0x94D049BB133111EBL;
        return twice ^ (twice >>> 31);
    }

    /** Returns a number from 0 to {@code bound - 1}. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** Returns {@code true} with this probability in percent. */
    public boolean chance(int percent) {
        return below(100) < percent;
    }

    /** Returns one of these choices. */
    @SafeVarargs
    public final <T> T pick(T... choices) {
        return choices[below(choices.length)];
    }

    /** Returns a number: one at or near an edge, or any. */
    public long number() {
        return switch (below(4)) {
            case 0 -> random.nextLong();
            case 1 -> EDGES[below(EDGES.length)] + below(5) - 2;
            case 2 -> below(100_000);
            default -> EDGES[below(EDGES.length)];
        };
    }

    /** Returns one of the examples, unchanged or mutated, or an unrelated text. */
    public String text(String... examples) {
        String text = switch (below(10)) {
            case 0 -> noise();
            case 1 -> pick(examples);
            case 2 -> spliced(pick(examples), pick(examples));
            default -> pick(examples);
        };
        for (int changes = below(5); changes > 0; changes--) {
            text = changed(text);
        }
        return noted(text);
    }

    private String noted(String text) {
        made.add(text);
        return text;
    }

    /** Returns a readable form of everything that the seed has generated so far. */
    public String shown() {
        String all = String.join(" | ", made);
        StringBuilder shown = new StringBuilder();
        all.chars().limit(LONGEST_SHOWN).forEach(c -> {
            if (c >= ' ' && c < 0x7f) {
                shown.append((char) c);
            } else {
                shown.append(String.format("\\u%04X", c));
            }
        });
        return shown + (all.length() > LONGEST_SHOWN ? "… (" + all.length() + " characters)" : "");
    }

    private String noise() {
        StringBuilder noise = new StringBuilder();
        for (int length = below(30); length > 0; length--) {
            noise.append(
                    chance(30) ? pick(ODD) : String.valueOf((char) (chance(80) ? ' ' + below(95) : below(0x10000))));
        }
        return noise.toString();
    }

    private String spliced(String one, String other) {
        return one.substring(0, below(one.length() + 1)) + other.substring(below(other.length() + 1));
    }

    private String changed(String text) {
        int at = below(text.length() + 1);
        int end = at + below(text.length() - at + 1);
        return switch (below(8)) {
            case 0 -> text.substring(0, at) + text.substring(end); // without a part
            case 1 -> text.substring(0, at); // truncated
            case 2 -> text.substring(0, end) + text.substring(at); // with a part twice
            case 3 -> text.substring(0, at) + String.valueOf((char) below(0x10000)) + text.substring(at);
            case 4 -> text.substring(0, at) + number() + text.substring(end);
            case 5 ->
                text.substring(0, at)
                        + pick(ODD).repeat(1 + below(chance(5) ? REPEATED_UP_TO : 3))
                        + text.substring(end);
            default -> text.substring(0, at) + pick(ODD) + text.substring(at);
        };
    }

    /** Returns one of the examples: mutated, truncated, with a part twice, or sometimes unchanged. */
    public byte[] bytes(byte[]... examples) {
        byte[] bytes = pick(examples).clone();
        for (int changes = below(6); changes > 0; changes--) {
            bytes = changed(bytes);
        }
        noted(new String(bytes, StandardCharsets.ISO_8859_1));
        return bytes;
    }

    private byte[] changed(byte[] bytes) {
        int at = below(bytes.length + 1);
        int end = at + below(bytes.length - at + 1);
        byte[] odd = pick(
                        "\r\n",
                        "$-5\r\n",
                        "*-1\r\n",
                        "$536870912\r\n",
                        ":",
                        "*1\r\n",
                        ">2\r\n",
                        "%1\r\n",
                        "_\r\n",
                        "-ERR \r\n",
                        "+")
                .getBytes(StandardCharsets.ISO_8859_1);
        return switch (below(6)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, end, bytes.length));
            case 2 -> joined(Arrays.copyOf(bytes, end), Arrays.copyOfRange(bytes, at, bytes.length));
            case 3 -> joined(Arrays.copyOf(bytes, at), odd, Arrays.copyOfRange(bytes, at, bytes.length));
            case 4 ->
                joined(
                        Arrays.copyOf(bytes, at),
                        Long.toString(number()).getBytes(StandardCharsets.ISO_8859_1),
                        Arrays.copyOfRange(bytes, end, bytes.length));
            default -> flipped(bytes, at);
        };
    }

    private byte[] flipped(byte[] bytes, int at) {
        if (at < bytes.length) {
            bytes[at] = (byte) below(256);
        }
        return bytes;
    }

    private static byte[] joined(byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }
}
