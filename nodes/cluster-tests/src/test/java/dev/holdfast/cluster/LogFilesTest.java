package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.alipay.sofa.jraft.storage.impl.RocksDBLogStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the engine's log: how many there are, and what a crash leaves in files that were written a second time. */
class LogFilesTest {

    private static final int ENTRY = 1_000; // bytes
    private static final int AT_ONCE = 100;
    private static final int MB = 1 << 20;

    @TempDir
    Path folder;

    private final List<LogStorage> open = new ArrayList<>();
    private Path newest = Path.of(""); // the file of new entries

    @AfterEach
    void close() {
        open.forEach(LogStorage::shutdown);
    }

    private LogStorage open(Path place) {
        LogFiles.choose();
        LogStorage log = new RocksDBLogStorage(place.toString(), new RaftOptions());
        LogStorageOptions options = new LogStorageOptions();
        options.setGroupId("trial");
        options.setConfigurationManager(new ConfigurationManager());
        options.setLogEntryCodecFactory(LogEntryV2CodecFactory.getInstance());
        assertThat(log.init(options)).isTrue();
        open.add(log);
        return log;
    }

    private void close(LogStorage log) {
        open.remove(log);
        log.shutdown();
    }

    /** Returns what an entry contains. Sorting cannot make it shorter. */
    private static byte[] content(long index, long term) {
        byte[] content = new byte[ENTRY];
        new Random(31 * index + term).nextBytes(content);
        return content;
    }

    private static void append(LogStorage log, long from, long to, long term) {
        for (long next = from; next <= to; next += AT_ONCE) {
            List<LogEntry> entries = new ArrayList<>();
            for (long index = next; index < Math.min(next + AT_ONCE, to + 1); index++) {
                LogEntry entry = new LogEntry(EntryType.ENTRY_TYPE_DATA);
                entry.setId(new LogId(index, term));
                entry.setData(ByteBuffer.wrap(content(index, term)));
                entries.add(entry);
            }
            assertThat(log.appendEntries(entries)).isEqualTo(entries.size());
        }
    }

    private static void requireEntries(LogStorage log, long from, long to, long term) {
        for (long index = from; index <= to; index++) {
            LogEntry entry = log.getEntry(index);
            assertThat(entry).as("entry %d", index).isNotNull();
            assertThat(entry.getId()).isEqualTo(new LogId(index, term));
            assertThat(entry.getData()).isEqualTo(ByteBuffer.wrap(content(index, term)));
        }
    }

    private static List<Path> files(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.sorted().toList();
        }
    }

    private static long size(Path place) throws IOException {
        return files(place).stream()
                .mapToLong(file -> file.toFile().length()) // zero once the file is gone
                .sum();
    }

    /** Appends entries until the last ones overwrite a file, so that it is long as soon as it is the newest. Returns the index of the last one. */
    private long overwriteAFile(LogStorage log, Path place) throws IOException {
        long last = 0;
        Path before;
        do {
            append(log, last + 1, last + AT_ONCE, 1);
            last += AT_ONCE;
            assertThat(last).as("entries, and no file that they overwrite").isLessThan(60_000);
            before = newest;
            List<Path> written = files(place).stream()
                    .filter(file -> file.toString().endsWith(".log"))
                    .toList();
            newest = written.get(written.size() - 1);
        } while (newest.equals(before) || Files.size(newest) < 3 * MB);
        append(log, last + 1, last + AT_ONCE, 1);
        return last + AT_ONCE;
    }

    /** Returns a copy of the folder as it was at one moment, which is what kill -9 leaves. Meanwhile RocksDB may sort entries in the background. */
    private Path afterAKill(Path place) throws IOException {
        for (int attempt = 1; attempt <= 1_000; attempt++) {
            Path copy = Files.createDirectory(folder.resolve("after-" + attempt));
            List<String> before = state(place);
            try {
                for (Path file : files(place)) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            } catch (NoSuchFileException e) {
                continue; // RocksDB has deleted the file
            }
            if (state(place).equals(before)) {
                return copy;
            }
        }
        throw new AssertionError("the files of " + place + " never rest");
    }

    private static List<String> state(Path place) throws IOException {
        return files(place).stream()
                .map(file -> file + " " + file.toFile().length() + " "
                        + file.toFile().lastModified())
                .toList();
    }

    @Test
    void aLogKeepsFewFilesBesideTheEntriesThatItNeeds() throws IOException {
        Path place = folder.resolve("log");
        LogStorage log = open(place);
        long most = 0;
        for (int round = 1; round <= 40; round++) {
            append(log, (round - 1) * 2_000L + 1, round * 2_000L, 1);
            log.truncatePrefix(round * 2_000L - 500);
            most = Math.max(most, size(place));
        }
        assertThat(most).as("after 80 MB of entries").isLessThan(48L * MB);
        requireEntries(log, 79_500, 80_000, 1);
    }

    @Test
    void aKillLosesNoEntryOfAFileThatWasOverwritten() throws IOException {
        Path place = folder.resolve("log");
        LogStorage log = open(place);
        long last = overwriteAFile(log, place);

        LogStorage after = open(afterAKill(place));

        assertThat(after.getLastLogIndex()).isEqualTo(last);
        requireEntries(after, 1, last, 1);
        append(after, last + 1, last + 500, 2);
        requireEntries(after, last - 100, last, 1);
        requireEntries(after, last + 1, last + 500, 2);
    }

    /** After the entry, the file contains those of its former use. They must not come back. */
    @Test
    void anEntryThatWasWrittenInPartIsTheOnlyOneThatIsMissing() throws IOException {
        Path place = folder.resolve("log");
        LogStorage log = open(place);
        long last = overwriteAFile(log, place);
        append(log, last + 1, last + 1, 1);
        Path copy = afterAKill(place);
        Path written = copy.resolve(newest.getFileName());
        byte[] bytes = Files.readAllBytes(written);
        int entry = indexOf(bytes, Arrays.copyOf(content(last + 1, 1), 16));
        Arrays.fill(bytes, entry + 16, entry + ENTRY / 2, (byte) 0);
        Files.write(written, bytes);

        LogStorage after = open(copy);

        assertThat(after.getLastLogIndex()).isEqualTo(last);
        requireEntries(after, 1, last, 1);
        append(after, last + 1, last + 500, 2);
        close(after);
        LogStorage again = open(copy);
        assertThat(again.getLastLogIndex()).isEqualTo(last + 500);
        requireEntries(again, last + 1, last + 500, 2);
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int at = 0; at <= bytes.length - part.length; at++) {
            if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        throw new AssertionError("the file does not contain the entry");
    }
}
