package dev.holdfast.locked;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GeneratedEqualsTest {

    record Plain(String text, long number) {

        /** Constants of two places in front of others. */
        double part() {
            return number * 1.0e100 + 123_456_789_012L;
        }
    }

    record Generic<T>(T value, List<? super T> more) {}

    record OwnHash(String text) {
        @Override
        public int hashCode() {
            return text.length();
        }

        @Override
        public String toString() {
            return "own " + text;
        }
    }

    /** Its {@code toString} and {@code hashCode} are generated, so the class file has dynamic calls. */
    record FinalEquals(String text) {
        @Override
        public final boolean equals(@Nullable Object other) {
            return other instanceof FinalEquals one && one.text.equalsIgnoreCase(text);
        }

        @Override
        public int hashCode() {
            return text.toLowerCase(Locale.ROOT).hashCode();
        }
    }

    record OpenEquals(String text) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof OpenEquals one && one.text.equalsIgnoreCase(text);
        }

        @Override
        public int hashCode() {
            return text.toLowerCase(Locale.ROOT).hashCode();
        }
    }

    /** The method reference makes a dynamic call of another type. */
    record Referring(String text) {
        @Override
        public final boolean equals(@Nullable Object other) {
            BiPredicate<String, String> same = String::equalsIgnoreCase;
            return other instanceof Referring one && same.test(one.text, text) && Objects.equals(1, 1);
        }

        @Override
        public int hashCode() {
            return text.toLowerCase(Locale.ROOT).hashCode();
        }
    }

    private static boolean isGenerated(Class<?> type) {
        return GeneratedEquals.isIn(type.getName(), type.getClassLoader());
    }

    @Test
    void aMethodOfTheCompilerIsRecognized() {
        assertThat(List.of(Plain.class, Generic.class, OwnHash.class))
                .allMatch(GeneratedEqualsTest::isGenerated)
                .noneMatch(KeyText::hasOwnEquals);
    }

    @Test
    void aMethodOfTheSourceIsRecognizedThoughItIsFinal() {
        assertThat(List.of(FinalEquals.class, Referring.class))
                .noneMatch(GeneratedEqualsTest::isGenerated)
                .allMatch(KeyText::hasOwnEquals);
        assertThat(KeyText.hasOwnEquals(OpenEquals.class)).isTrue();
    }

    @Test
    void aClassWithoutAFileCountsAsGenerated() {
        assertThat(GeneratedEquals.isIn("no.such.Type", getClass().getClassLoader()))
                .isTrue();
        assertThat(GeneratedEquals.isIn("no.such.Type", null)).isTrue();
    }
}
