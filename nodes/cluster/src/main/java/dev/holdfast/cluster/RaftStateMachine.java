package dev.holdfast.cluster;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.entity.LeaderChangeContext;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.error.RaftException;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import dev.holdfast.node.Push;
import dev.holdfast.node.ResourceState;
import dev.holdfast.time.Scheduler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Applies the engine's log to a {@link LockStateMachine}. The engine calls it on one thread, and a backup reads the state on others. */
final class RaftStateMachine extends StateMachineAdapter {

    private static final System.Logger LOG = System.getLogger(RaftStateMachine.class.getName());
    private static final String FILE = "table";

    /** The reactions of a server to changes of the state and of the leader. Each call returns at once. */
    interface Events {
        void pushed(List<Push> pushes);

        void leads(long term, long appliedMillis);

        void follows(String reason);

        /** Handles the news that another server leads. */
        void leaderKnown(long term);
    }

    private final LockStateMachine machine;
    private final Scheduler scheduler;
    private final Events events;
    private volatile String problem = "";

    RaftStateMachine(LockStateMachine machine, Scheduler scheduler, Events events) {
        this.machine = machine;
        this.scheduler = scheduler;
        this.events = events;
    }

    /** The engine's callback for an entry of this server. */
    record Done(Proposals.Proposal proposal) implements Closure {
        @Override
        public void run(Status status) { // the engine calls it only for entries that it gives up
            proposal.failed("the server stopped leading while it replicated the request: " + status.getErrorMsg());
        }
    }

    @Override
    public void onApply(Iterator iterator) {
        try {
            while (iterator.hasNext()) {
                apply(iterator.getData(), (Done) iterator.done());
                iterator.next();
            }
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "The server stops, because it cannot apply entry " + iterator.getIndex(), e);
            iterator.setErrorAndRollback(1, new Status(RaftError.ESTATEMACHINE, "%s", e.toString()));
        }
    }

    private void apply(ByteBuffer data, @Nullable Done done) {
        Batch batch;
        if (done != null) {
            batch = done.proposal.batch();
        } else {
            byte[] bytes = new byte[data.remaining()];
            data.duplicate().get(bytes); // the engine may still have to write the entry to its disk, or to send it
            batch = Batch.read(bytes);
        }
        List<Push> pushes = new ArrayList<>(0);
        List<Object> answers;
        synchronized (machine) {
            answers = machine.apply(batch, pushes::add);
        }
        if (done != null) {
            done.proposal.answered(answers, pushes);
        }
        if (!pushes.isEmpty()) {
            events.pushed(pushes);
        }
    }

    /** Returns the state in bytes. Runs on any thread. */
    byte[] state() {
        synchronized (machine) {
            return machine.snapshot();
        }
    }

    /** Answers INSPECT from the state, as {@link LockStateMachine#inspect} does. Runs on any thread. */
    Optional<ResourceState> inspect(String resource, long now) {
        synchronized (machine) {
            return machine.inspect(resource, now);
        }
    }

    /** Returns why this server has stopped taking part; an empty text if it has not. */
    String problem() {
        return problem;
    }

    @Override
    public void onSnapshotSave(SnapshotWriter writer, Closure done) {
        byte[] bytes = state();
        scheduler.execute(() -> done.run(save(writer, bytes)));
    }

    private static Status save(SnapshotWriter writer, byte[] bytes) {
        Path file = Path.of(writer.getPath(), FILE);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "The snapshot {0} cannot be written: {1}", file, e);
            return new Status(RaftError.EIO, "%s", e.toString());
        }
        return writer.addFile(FILE) ? Status.OK() : new Status(RaftError.EIO, "%s", "the snapshot has no place");
    }

    @Override
    public boolean onSnapshotLoad(SnapshotReader reader) {
        Path file = Path.of(reader.getPath(), FILE);
        try {
            byte[] bytes = Files.readAllBytes(file);
            synchronized (machine) {
                machine.restore(bytes);
            }
            return true;
        } catch (IOException | UnreadableException e) {
            LOG.log(Level.ERROR, "The snapshot " + file + " cannot be read", e);
            return false;
        }
    }

    @Override
    public void onLeaderStart(long term) {
        events.leads(term, machine.millis());
    }

    @Override
    public void onLeaderStop(Status status) {
        events.follows("the server does not lead any more: " + status.getErrorMsg());
    }

    @Override
    public void onStartFollowing(LeaderChangeContext context) {
        events.leaderKnown(context.getTerm());
    }

    @Override
    public void onStopFollowing(LeaderChangeContext context) {
        events.follows("the cluster has no leader: "
                + context.getStatus().getErrorMsg()); // clients learn that no server leads
    }

    @Override
    public void onError(RaftException e) {
        LOG.log(Level.ERROR, "The server stops taking part in the cluster", e);
        problem = "the server has stopped: " + e.getStatus().getErrorMsg(); // the exception itself may have no message
        events.follows(problem);
    }
}
