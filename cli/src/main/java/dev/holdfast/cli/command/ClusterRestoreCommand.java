package dev.holdfast.cli.command;

import dev.holdfast.cli.output.ExitCode;
import dev.holdfast.cli.output.Failure;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.settings.MemberOptions;
import dev.holdfast.cluster.Backup;
import dev.holdfast.cluster.ClusterConfig;
import dev.holdfast.cluster.ClusterConfig.Start;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.time.Timing;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code cluster restore}: makes the folder of the first server of a new cluster from a backup. */
@Command(
        name = "restore",
        description = "Make the folder of the first server of a new cluster from a backup.",
        customSynopsis = "holdfast cluster restore FILE --cluster=NAME --name=NAME --servers=LIST --data=DIR [OPTIONS]",
        sortOptions = false,
        footer = {
            "",
            "The options are those of 'holdfast serve'. The former cluster must be gone: two",
            "clusters would grant the same locks. Start the server with 'holdfast serve', and",
            "the others with empty folders and --join; then add them, 'holdfast cluster add'.",
            "Leases that were acquired after the backup are not known, so let the longest",
            "ttl pass before clients connect.",
            "",
            "Exits with 0 if the folder is complete, 1 if the backup cannot be restored.",
        })
final class ClusterRestoreCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "The backup.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Mixin
    private final MemberOptions member = new MemberOptions();

    @Option(names = "--data", paramLabel = "DIR", description = "Folder of the server, without data of a cluster.")
    @Nullable
    private Path data;

    @Override
    public Integer call() {
        ClusterConfig whole = member.part(data, Start.CREATE, System.getenv()).config();
        String name = whole.name();
        String address = String.valueOf(whole.peers().get(name));
        ClusterConfig alone = new ClusterConfig(
                whole.cluster(), name, Map.of(name, address), whole.data(), whole.start(), whole.options());
        Timing timing = Timing.system("holdfast-restore");
        try {
            Backup.restore(file, alone, timing);
        } catch (HoldfastException e) {
            throw new Failure(ExitCode.UNCHANGED, String.valueOf(e.getMessage()), e);
        } finally {
            timing.scheduler().close();
        }
        Output.print("restored the cluster " + whole.cluster() + " to " + data + "; start server " + name
                + ", and add the others to it\n");
        return ExitCode.OK;
    }
}
