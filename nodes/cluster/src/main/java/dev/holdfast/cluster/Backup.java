package dev.holdfast.cluster;

import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.option.BootstrapOptions;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.node.Push;
import dev.holdfast.time.Timing;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A file with the state of a cluster, from which another cluster can start. It has a mark, a version, the name of the cluster, the wall clock of the
 * server that wrote it, and a snapshot of each group.
 */
public final class Backup {

    /** The first four bytes of each file: "HFCB". */
    private static final int MAGIC = 0x48464342;

    /** The version with one snapshot. */
    private static final int ONE_GROUP = 1;

    /** The version with the number of groups, and a snapshot of each. */
    private static final int SEVERAL_GROUPS = 2;

    /** The index of the snapshot in the new log. The engine writes the members at index 1 first, and drops them behind a larger one. */
    private static final long SNAPSHOT_INDEX = 2;

    /** How far the wall clocks of the server that wrote the file and of the one that reads it may be apart. */
    private static final long CLOCK_MARGIN_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final String cluster;
    private final long wallMillis;
    private final List<byte[]> snapshots;

    /**
     * Creates the content of the file.
     *
     * @param cluster the name of the cluster
     * @param wallMillis the present time in milliseconds, by the wall clock
     * @param snapshots the states of all groups, by their indexes
     */
    Backup(String cluster, long wallMillis, List<byte[]> snapshots) {
        this.cluster = cluster;
        this.wallMillis = wallMillis;
        this.snapshots = List.copyOf(snapshots);
    }

    /** Returns the content of the file. */
    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(MAGIC);
            out.writeByte(snapshots.size() == 1 ? ONE_GROUP : SEVERAL_GROUPS);
            out.writeUTF(cluster);
            out.writeLong(wallMillis);
            if (snapshots.size() > 1) {
                out.writeInt(snapshots.size());
            }
            for (byte[] snapshot : snapshots) {
                out.writeInt(snapshot.length);
                out.write(snapshot);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // no write to memory fails
        }
        return bytes.toByteArray();
    }

    /**
     * Reads the file.
     *
     * @throws HoldfastException if it cannot be read, or is no backup of this release or one before it
     */
    static Backup read(Path file) {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            if (in.readInt() != MAGIC) {
                throw new HoldfastException(file + " is not a backup of a cluster");
            }
            int version = in.readUnsignedByte();
            if (version != ONE_GROUP && version != SEVERAL_GROUPS) {
                throw new HoldfastException("the backup " + file + " has version " + version
                        + "; this release reads versions " + ONE_GROUP + " and " + SEVERAL_GROUPS
                        + ". Restore it with the release that wrote it, or a later one.");
            }
            String cluster = in.readUTF();
            long wallMillis = in.readLong();
            int groups = version == ONE_GROUP ? 1 : in.readInt();
            List<byte[]> snapshots = new ArrayList<>();
            for (int group = 0; group < groups; group++) {
                snapshots.add(snapshot(in, file));
            }
            return new Backup(cluster, wallMillis, snapshots);
        } catch (EOFException e) {
            throw new HoldfastException(file + " is not a backup of a cluster: it ends early");
        } catch (NoSuchFileException e) {
            throw new HoldfastException("there is no file " + file);
        } catch (IOException e) {
            throw new HoldfastException("the backup " + file + " cannot be read: " + FileReason.of(e));
        }
    }

    private static byte[] snapshot(DataInputStream in, Path file) throws IOException {
        int length = in.readInt();
        byte[] snapshot = in.readNBytes(Math.max(length, 0));
        if (snapshot.length != length) {
            throw new HoldfastException("the backup " + file + " is not complete: it ends early");
        }
        return snapshot;
    }

    /**
     * Makes the data folder of the first server of a new cluster from a backup. Start the server then, and add the others to it. All tokens of the new
     * cluster are above those that the former one gave before this call, if the wall clocks of the two machines are less than a day apart. The former
     * cluster must give no more.
     *
     * @param file a file with the bytes of {@link ClusterServer#backup}
     * @param config the settings of the server: itself as the only peer, and an empty folder
     * @throws HoldfastException if the backup cannot be read, is damaged, from the future or of another number of groups, or if the folder cannot be used
     */
    public static void restore(Path file, ClusterConfig config, Timing timing) {
        read(file).restore(config, timing);
    }

    private void restore(ClusterConfig config, Timing timing) {
        if (!config.peers().equals(Map.of(config.name(), config.address()))) {
            throw new HoldfastException("a backup is restored to one server, but the peers are " + config.peers()
                    + ". Restore it to server " + config.name() + " alone, and add the others then.");
        }
        if (!cluster.equals(config.cluster())) {
            throw new HoldfastException(
                    "the backup is of cluster '" + cluster + "', not of '" + config.cluster() + "'");
        }
        if (snapshots.size() != config.groups()) {
            throw new HoldfastException(
                    "the backup has " + Founding.inWords(snapshots.size()) + ", but this server has " + config.groups()
                            + "; a backup is restored to the same number of groups");
        }
        List<LockStateMachine> machines =
                snapshots.stream().map(Backup::machine).toList();
        long elapsed = timing.ticker().wallMillis() - wallMillis;
        if (elapsed < -CLOCK_MARGIN_MILLIS) {
            throw new HoldfastException("the backup was written " + TimeUnit.MILLISECONDS.toHours(-elapsed)
                    + " h in the future by this machine's clock. Set the clock: the first token follows from it.");
        }
        DataFolder data = DataFolder.openForRestore(config, timing.random());
        if (!data.isNew()) {
            throw new HoldfastException(config.data() + " has data of a server; a backup needs an empty folder");
        }
        for (int group = 0; group < machines.size(); group++) {
            LockStateMachine machine = machines.get(group);
            machine.raiseFences(Math.max(elapsed, 0) + CLOCK_MARGIN_MILLIS);
            bootstrap(config, data, group, new RaftStateMachine(machine, timing.scheduler(), new NoEvents()));
        }
        try {
            data.accepted(); // the server is the only one of its cluster
        } catch (IOException e) {
            throw new HoldfastException("the data folder " + config.data() + " cannot be written: " + FileReason.of(e));
        }
    }

    private static LockStateMachine machine(byte[] snapshot) {
        LockStateMachine machine = new LockStateMachine(ClusterServer.FENCE_RETENTION.toMillis());
        try {
            machine.restore(snapshot);
            return machine;
        } catch (UnreadableException e) {
            throw new HoldfastException("the backup cannot be restored: " + e.getMessage());
        }
    }

    /** Writes the state of a group as the engine's first snapshot. */
    private static void bootstrap(ClusterConfig config, DataFolder data, int group, RaftStateMachine machine) {
        BootstrapOptions options = new BootstrapOptions();
        options.setGroupId(Group.engineName(config, group));
        options.setGroupConf(new Configuration(List.of(Members.peer(config.address(), data.identity()))));
        options.setLastLogIndex(SNAPSHOT_INDEX);
        options.setFsm(machine);
        options.setLogUri(data.log(group));
        options.setRaftMetaUri(data.meta(group));
        options.setSnapshotUri(data.snapshots(group));
        try {
            if (!JRaftUtils.bootstrap(options)) {
                throw new HoldfastException("the data folder " + config.data() + " could not be written");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HoldfastException("interrupted before the data folder " + config.data() + " was complete");
        }
    }

    /** Ignores all events. */
    static final class NoEvents implements RaftStateMachine.Events {
        @Override
        public void pushed(List<Push> pushes) {}

        @Override
        public void leads(long term, long appliedMillis) {}

        @Override
        public void follows(String reason) {}

        @Override
        public void leaderKnown(long term) {}
    }
}
