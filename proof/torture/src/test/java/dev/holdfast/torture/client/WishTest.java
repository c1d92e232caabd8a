package dev.holdfast.torture.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.torture.client.ClientSettings.Kind;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Workers want everything that there is to want, within what is promised. */
class WishTest {

    private static List<Wish> drawn(Kind kind) {
        Random random = new Random(1);
        return Stream.generate(() -> Wish.draw(random, kind)).limit(5_000).toList();
    }

    @Test
    void everyModeAndEveryLockIsWanted() {
        assertThat(drawn(Kind.HOLDFAST)).extracting(Wish::mode).contains(LockMode.values());
        assertThat(drawn(Kind.HOLDFAST).stream().map(Wish::lock).distinct()).hasSize(Wish.locks());
    }

    @Test
    void noTtlIsLongerThanTheQuarantine() {
        assertThat(drawn(Kind.HOLDFAST)).allMatch(wish -> wish.ttl().compareTo(Wish.LONGEST_TTL) <= 0);
    }

    @Test
    void theTextbookIsAskedOnlyForWhatItCanDo() {
        assertThat(drawn(Kind.TEXTBOOK)).allMatch(wish -> wish.mode() == LockMode.EX && wish.maxHold() == null);
    }

    @Test
    void onlyModesOfWhichNoTwoFitTogetherWrite() {
        List<LockMode> writing = drawn(Kind.HOLDFAST).stream()
                .filter(Wish::writes)
                .map(Wish::mode)
                .distinct()
                .toList();
        assertThat(writing).isNotEmpty();
        writing.forEach(one ->
                writing.forEach(other -> assertThat(one.conflictsWith(other)).isTrue()));
    }
}
