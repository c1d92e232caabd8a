package dev.holdfast.benchmarks.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class RenamedLockTest {

    private final List<String> done = new ArrayList<>();
    private final Deque<Boolean> lost = new ArrayDeque<>();
    private final RenamedLock lock = new RenamedLock("a", name -> () -> {
        tell("acquire " + name);
        return () -> tell("release " + name);
    });

    private void tell(String what) {
        done.add(what);
        if (Boolean.TRUE.equals(lost.poll())) {
            throw new UncheckedIOException(new IOException("no bytes"));
        }
    }

    @Test
    void itKeepsItsNameAsLongAsAnswersCome() throws Exception {
        lock.acquire().release();
        lock.acquire().release();

        assertThat(done).containsExactly("acquire a", "release a", "acquire a", "release a");
    }

    @Test
    void anotherIsAcquiredWhenItIsNotKnownWhetherTheFirstWas() throws Exception {
        lost.add(true);

        lock.acquire().release();

        assertThat(done).containsExactly("acquire a", "acquire a-1", "release a-1");
    }

    @Test
    void anotherIsAcquiredNextWhenItIsNotKnownWhetherTheFirstWasReleased() throws Exception {
        lost.add(false);
        lost.add(true);

        lock.acquire().release();
        lock.acquire().release();

        assertThat(done).containsExactly("acquire a", "release a", "acquire a-1", "release a-1");
    }

    @Test
    void aServerThatNeverAnswersIsNoAccident() {
        for (int i = 0; i < 100; i++) {
            lost.add(true);
        }

        assertThatThrownBy(lock::acquire).isInstanceOf(UncheckedIOException.class);
    }
}
