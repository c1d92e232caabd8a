package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.error.RaftException;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import com.google.protobuf.Message;
import dev.holdfast.testkit.ManualTiming;
import dev.holdfast.time.Timing;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application of the engine's entries to the state. */
class RaftStateMachineTest {

    private static final long RETENTION_MILLIS = 20_000;

    private final Timing timing = Timing.system("state-machine-test");

    @AfterEach
    void stop() {
        timing.scheduler().close();
    }

    /** The entries of a follower, in the engine's memory. */
    private static final class Entries implements Iterator {

        private final List<LogEntry> entries;
        private int at;

        Entries(List<LogEntry> entries) {
            this.entries = entries;
        }

        @Override
        public boolean hasNext() {
            return at < entries.size();
        }

        @Override
        public ByteBuffer next() {
            at++;
            return hasNext() ? getData() : ByteBuffer.allocate(0);
        }

        @Override
        public ByteBuffer getData() {
            return entries.get(at).getData();
        }

        @Override
        public long getIndex() {
            return entries.get(at).getId().getIndex();
        }

        @Override
        public long getTerm() {
            return entries.get(at).getId().getTerm();
        }

        @Override
        public @Nullable Closure done() {
            return null;
        }

        @Override
        public void setAutoCommitPerLog(boolean status) {}

        @Override
        public boolean commit() {
            return true;
        }

        @Override
        public void commitAndSnapshotSync(Closure done) {}

        @Override
        public void setErrorAndRollback(long entries, Status status) {
            throw new AssertionError(status);
        }
    }

    private static List<LogEntry> entries(long seed) {
        RandomOperations operations = new RandomOperations(new Random(seed));
        List<LogEntry> entries = new ArrayList<>();
        for (int index = 1; index <= 100; index++) {
            LogEntry entry = new LogEntry(EntryType.ENTRY_TYPE_DATA);
            entry.setId(new LogId(index, 1));
            entry.setData(ByteBuffer.wrap(operations.batch().bytes()));
            entry.setChecksum(entry.checksum());
            entries.add(entry);
        }
        return entries;
    }

    /** A follower may apply an entry that its disk has not written yet: the others are a majority. A leader may still have to send it to a server. */
    @Test
    void anEntryIsWholeAfterItHasBeenApplied() {
        List<LogEntry> entries = entries(1);
        RaftStateMachine state =
                new RaftStateMachine(new LockStateMachine(RETENTION_MILLIS), timing.scheduler(), new Backup.NoEvents());

        state.onApply(new Entries(entries));

        assertThat(entries).noneMatch(LogEntry::isCorrupted);
        RaftStateMachine other =
                new RaftStateMachine(new LockStateMachine(RETENTION_MILLIS), timing.scheduler(), new Backup.NoEvents());
        other.onApply(new Entries(entries));
        assertThat(other.state()).isEqualTo(state.state());
    }

    /** The engine goes on to apply entries while the snapshot is written, and would apply them to it again after a restart. */
    @Test
    void aSnapshotHasTheStateOfItsEntryAndNoLaterOne(@TempDir Path folder) {
        ManualTiming later = new ManualTiming(1);
        RaftStateMachine state = new RaftStateMachine(
                new LockStateMachine(RETENTION_MILLIS), later.timing().scheduler(), new Backup.NoEvents());
        List<LogEntry> entries = entries(1);
        state.onApply(new Entries(entries.subList(0, 50)));
        byte[] then = state.state();

        List<Status> ends = new ArrayList<>();
        state.onSnapshotSave(new Folder(folder), ends::add);
        state.onApply(new Entries(entries.subList(50, 100)));
        later.drain();

        assertThat(ends).singleElement().satisfies(end -> assertThat(end.isOk()).isTrue());
        assertThat(folder.resolve("table")).hasBinaryContent(then);
    }

    /** The folder of a snapshot that the engine writes. */
    private static final class Folder extends SnapshotWriter {

        private final Path folder;

        Folder(Path folder) {
            this.folder = folder;
        }

        @Override
        public String getPath() {
            return folder.toString();
        }

        @Override
        public Set<String> listFiles() {
            return Set.of();
        }

        @Override
        public @Nullable Message getFileMeta(String fileName) {
            return null;
        }

        @Override
        public boolean init(@Nullable Void options) {
            return true;
        }

        @Override
        public void shutdown() {}

        @Override
        public boolean saveMeta(SnapshotMeta meta) {
            return true;
        }

        @Override
        public boolean addFile(String fileName, @Nullable Message meta) {
            return true;
        }

        @Override
        public boolean removeFile(String fileName) {
            return true;
        }

        @Override
        public void close(boolean keepsDataOnError) {}

        @Override
        public void close() {}
    }

    /** The engine gives the exception its status later, and often no message. */
    @Test
    void theProblemNamesTheCause() {
        RaftStateMachine state =
                new RaftStateMachine(new LockStateMachine(RETENTION_MILLIS), timing.scheduler(), new Backup.NoEvents());
        RaftException failure = new RaftException();
        failure.setStatus(new Status(RaftError.EIO, "%s", "the disk is full"));

        state.onError(failure);

        assertThat(state.problem()).isEqualTo("the server has stopped: the disk is full");
    }
}
