package dev.holdfast.locked;

import java.lang.annotation.Annotation;
import java.util.Arrays;

/**
 * The description of a class that Kotlin's compiler adds to it as an annotation: a message of Protocol Buffers, in the characters of {@code d1}, whose names
 * are in {@code d2}. Only it tells a method that the compiler has generated from one in the source.
 */
public final class KotlinMetadata {

    /** The annotation of all classes that Kotlin's compiler makes. */
    public static final String ANNOTATION = "kotlin.Metadata";

    private static final int FUNCTIONS_OF_A_CLASS = 9;
    private static final int FLAGS_OF_A_FUNCTION = 9;
    private static final int NAME_OF_A_FUNCTION = 2;

    /** The flags of a function without flags. */
    private static final int DEFAULT_FLAGS = 6;

    /** The place and the value of the bits that say where a function comes from. */
    private static final int KIND_SHIFT = 6;

    private static final int KINDS = 3;
    private static final int SYNTHESIZED = 3;

    private final byte[] bytes;
    private int at;
    private final int end;

    private KotlinMetadata(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Returns whether Kotlin's compiler has made the class, and its {@code equals} is not in the source. */
    static boolean generatesEquals(Class<?> type) {
        return Arrays.stream(type.getAnnotations())
                .filter(mark -> mark.annotationType().getName().equals(ANNOTATION))
                .anyMatch(mark -> generatesEquals(texts(mark, "d1"), texts(mark, "d2")));
    }

    private static String[] texts(Annotation mark, String element) {
        try {
            return (String[]) mark.annotationType().getMethod(element).invoke(mark);
        } catch (ReflectiveOperationException e) {
            return new String[0];
        }
    }

    /** Returns whether a class with this description has no {@code equals} in its source; false if the description is of an unknown form. */
    public static boolean generatesEquals(String[] d1, String[] d2) {
        String text = String.join("", d1);
        if (text.isEmpty() || text.charAt(0) != '\0') { // the mark of the form in which each character is a byte
            return false;
        }
        byte[] bytes = new byte[text.length() - 1];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) text.charAt(i + 1);
        }
        try {
            KotlinMetadata all = new KotlinMetadata(bytes, 0, bytes.length);
            all.part(); // more about the names
            return !all.declaresEquals(d2);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            return false;
        }
    }

    private boolean declaresEquals(String[] names) {
        while (at < end) {
            long tag = number();
            if (tag >>> 3 == FUNCTIONS_OF_A_CLASS) {
                if (part().isDeclaredEquals(names)) {
                    return true;
                }
            } else {
                skip(tag);
            }
        }
        return false;
    }

    private boolean isDeclaredEquals(String[] names) {
        long flags = DEFAULT_FLAGS;
        String name = "";
        while (at < end) {
            long tag = number();
            if (tag >>> 3 == FLAGS_OF_A_FUNCTION) {
                flags = number();
            } else if (tag >>> 3 == NAME_OF_A_FUNCTION) {
                name = names[(int) number()];
            } else {
                skip(tag);
            }
        }
        return name.equals("equals") && (flags >>> KIND_SHIFT & KINDS) != SYNTHESIZED;
    }

    // ---- Protocol Buffers

    private long number() {
        long number = 0;
        int shift = 0;
        byte next;
        do {
            next = bytes[at++];
            number |= (next & 0x7fL) << shift;
            shift += 7;
        } while (next < 0);
        return number;
    }

    /** Returns the message of the length that stands here, and continues behind it. */
    private KotlinMetadata part() {
        int length = (int) number();
        int from = at;
        at += length;
        return new KotlinMetadata(bytes, from, at);
    }

    private void skip(long tag) {
        switch ((int) tag & 7) {
            case 0 -> number();
            case 1 -> at += Long.BYTES;
            case 2 -> part();
            case 5 -> at += Integer.BYTES;
            default -> throw new IllegalStateException("a field of an unknown kind");
        }
    }
}
