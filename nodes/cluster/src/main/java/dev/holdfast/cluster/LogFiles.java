package dev.holdfast.cluster;

import com.alipay.sofa.jraft.storage.impl.RocksDBLogStorage;
import com.alipay.sofa.jraft.util.StorageOptionsFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.util.SizeUnit;

/**
 * The files in which the engine keeps the log of a group: some 15 MB, beside the entries that the next snapshot replaces.
 *
 * <p>New entries overwrite a file that is no longer needed. To flush one, the file system writes the entry only. To flush an entry that makes its file longer,
 * it also writes the file's length, and the server waits half as long again (decision 0115).
 */
final class LogFiles {

    /** The length of a file of new entries. */
    private static final long LENGTH = 4 * SizeUnit.MB;

    /** The number of files that wait until they are overwritten. */
    private static final int SPARE_FILES = 2;

    /** The length at which RocksDB begins another list of its files, or another report of what it does. */
    private static final long LENGTH_OF_OTHERS = SizeUnit.MB;

    private static final int REPORTS = 4;

    private static final AtomicBoolean CHOSEN = new AtomicBoolean();

    private LogFiles() {}

    /** Chooses these files for all logs of this JVM. If the application uses the engine too, and has chosen other ones, it keeps them. */
    static void choose() {
        if (CHOSEN.compareAndSet(false, true)) {
            try {
                StorageOptionsFactory.registerRocksDBOptions(RocksDBLogStorage.class, files());
                StorageOptionsFactory.registerRocksDBColumnFamilyOptions(RocksDBLogStorage.class, entries());
            } catch (IllegalStateException e) {
                // the application's choice, made before the first server was created
            }
        }
    }

    private static DBOptions files() {
        DBOptions files = StorageOptionsFactory.getDefaultRocksDBOptions();
        files.setRecycleLogFileNum(SPARE_FILES);
        // Otherwise the few entries that name the members keep all files since the last change of members.
        files.setAtomicFlush(true);
        files.setMaxManifestFileSize(LENGTH_OF_OTHERS);
        files.setMaxLogFileSize(LENGTH_OF_OTHERS);
        files.setKeepLogFileNum(REPORTS);
        return files;
    }

    private static ColumnFamilyOptions entries() {
        ColumnFamilyOptions entries = StorageOptionsFactory.getDefaultRocksDBColumnFamilyOptions();
        entries.setWriteBufferSize(LENGTH);
        entries.setMinWriteBufferNumberToMerge(1);
        return entries;
    }
}
