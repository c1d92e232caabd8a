package dev.holdfast.redis.connection;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-coding of characters in URIs: {@code %} and two hex digits for each byte of UTF-8. A plus sign stays a plus sign. */
final class PercentCoding {

    private static final String MARKS = "%?#&@";
    private static final int MOST_BYTES_OF_A_CHARACTER = 4;

    private PercentCoding() {}

    /** Decodes a text; throws an {@link IllegalArgumentException} that describes the error, without the text. */
    static String decode(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("half a surrogate pair has no UTF-8 form");
        }
        ByteBuffer bytes = ByteBuffer.allocate(text.length() * MOST_BYTES_OF_A_CHARACTER);
        for (int i = 0; i < text.length(); ) {
            if (text.charAt(i) == '%') {
                bytes.put(hexByte(text.substring(i + 1, Math.min(i + 3, text.length()))));
                i += 3;
            } else {
                int point = text.codePointAt(i);
                bytes.put(Character.toString(point).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(point);
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a percent-encoded part is not UTF-8", e);
        }
    }

    /** Encodes the characters that a parser would misread, or that are not printable. */
    static String encode(String text) {
        StringBuilder encoded = new StringBuilder();
        text.codePoints().forEach(point -> {
            if (MARKS.indexOf(point) >= 0 || Character.isISOControl(point)) {
                for (byte unit : Character.toString(point).getBytes(StandardCharsets.UTF_8)) {
                    encoded.append(String.format("%%%02X", unit & 0xff));
                }
            } else {
                encoded.appendCodePoint(point);
            }
        });
        return encoded.toString();
    }

    private static byte hexByte(String digits) {
        if (!digits.matches("[0-9A-Fa-f]{2}")) {
            throw new IllegalArgumentException("after '%' there must be two hex digits; a '%' itself is written %25");
        }
        return (byte) Integer.parseInt(digits, 16);
    }
}
