package dev.holdfast.cluster;

import com.alipay.sofa.jraft.option.NodeOptions;

/** The settings of the Raft engine for one group at one server. */
final class EngineOptions {

    /** The fewest entries after which another snapshot is worth its cost. An idle cluster writes six entries a minute. */
    private static final int SNAPSHOT_MARGIN = 10;

    /** The most messages with entries under way to one server, of up to 512 KB each. A server with 64 MB of them waiting would count as stuck. */
    private static final int MOST_UNDER_WAY = 64;

    private EngineOptions() {}

    /** Returns the settings, except for the first members. */
    static NodeOptions of(
            ClusterConfig config, DataFolder data, int group, RaftStateMachine machine, PeerRpc.PeerOptions peers) {
        LogFiles.choose();
        ClusterConfig.Options chosen = config.options();
        NodeOptions options = peers;
        options.setFsm(machine);
        options.setServiceFactory(new StrictVotes.Factory());
        options.setLogUri(data.log(group));
        options.setRaftMetaUri(data.meta(group));
        options.setSnapshotUri(data.snapshots(group));
        options.setElectionTimeoutMs(Math.toIntExact(chosen.electionTimeout().toMillis()));
        options.setSnapshotIntervalSecs(
                Math.toIntExact(chosen.snapshotInterval().toSeconds()));
        options.setSnapshotLogIndexMargin(SNAPSHOT_MARGIN);
        options.setDisableCli(true); // no program may change the members of the cluster over the peers' port
        options.getRaftOptions().setSync(true);
        options.getRaftOptions().setEnableLogEntryChecksum(true);
        options.getRaftOptions().setMaxReplicatorInflightMsgs(MOST_UNDER_WAY);
        options.getRaftOptions()
                .setMaxElectionDelayMs(Math.toIntExact(chosen.electionTimeout().toMillis()));
        return options;
    }
}
