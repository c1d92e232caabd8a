package dev.holdfast.torture.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Plants a violation for each check. */
class WatchTest {

    private final Watch watch = new Watch();
    private final AtomicBoolean held = new AtomicBoolean(true);

    @Test
    void twoHoldersOfALock() {
        watch.got("a", 1, "first", held::get);
        watch.got("a", 1, "second", () -> true);
        assertThat(watch.violations()).singleElement().asString().startsWith("a has 2 holders, not 1 at most");
    }

    @Test
    void aHolderWhoseLeaseHasEndedIsNone() {
        watch.got("a", 1, "first", held::get);
        held.set(false);
        watch.got("a", 1, "second", () -> true).releasing();
        watch.got("a", 1, "third", () -> true);
        assertThat(watch.violations()).isEmpty();
    }

    @Test
    void moreHoldersThanPermits() {
        for (int i = 0; i < 3; i++) {
            watch.got("permits", 3, "holder " + i, held::get);
        }
        assertThat(watch.violations()).isEmpty();
        watch.got("permits", 3, "holder 3", held::get);
        assertThat(watch.violations()).singleElement().asString().startsWith("permits has 4 holders, not 3 at most");
    }

    @Test
    void aTokenThatDoesNotRise() {
        watch.token("a", "first", watch.asked("a"), 7);
        long asked = watch.asked("a");
        watch.token("a", "second", 0, 8);
        assertThat(watch.violations()).isEmpty();
        watch.token("a", "third", asked, 7);
        assertThat(watch.violations()).containsExactly("a: third has the token 7, requested after 7");
    }

    @Test
    void sealedWorkThatIsDoneAgain() {
        watch.begins("work", "first", watch.isSealed("work"));
        boolean before = watch.isSealed("work");
        watch.seals("work");
        watch.begins("work", "second", before);
        assertThat(watch.violations()).isEmpty();
        watch.begins("work", "third", watch.isSealed("work"));
        assertThat(watch.violations()).containsExactly("work is done again by third, after its seal was confirmed");
        watch.forget("work");
        assertThat(watch.isSealed("work")).isFalse();
    }
}
