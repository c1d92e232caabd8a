package dev.holdfast.benchmarks.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The detection of a second holder, over two mappings of one file as in two processes. */
class RoomTest {

    @TempDir
    Path directory;

    @Test
    void aSecondHolderIsSeen() throws IOException {
        Room one = Room.open(directory.resolve("room"));
        Room other = Room.open(directory.resolve("room"));

        one.enter(Room.ALONE);
        other.enter(Room.ALONE);

        assertThat(other.intruders()).isEqualTo(1);
        other.leave(Room.ALONE);
        one.leave(Room.ALONE);
        other.enter(Room.ALONE);
        assertThat(other.intruders()).isEqualTo(1);
        assertThat(one.intruders()).isZero();
    }

    @Test
    void readersMayBeTogetherButNotWithAWriter() throws IOException {
        Room room = Room.open(directory.resolve("room"));

        room.enter(Room.SHARED);
        room.enter(Room.SHARED);
        assertThat(room.intruders()).isZero();
        room.enter(Room.ALONE);
        assertThat(room.intruders()).isEqualTo(1);
        room.leave(Room.SHARED);
        room.leave(Room.SHARED);
        room.enter(Room.SHARED);
        assertThat(room.intruders()).isEqualTo(2);
    }
}
