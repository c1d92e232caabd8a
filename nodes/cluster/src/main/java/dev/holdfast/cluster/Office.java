package dev.holdfast.cluster;

import dev.holdfast.node.Push;
import dev.holdfast.time.Scheduler;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The reactions of a server to changes of the leader and of the state of one group: it opens and closes the proposals, and notifies its clients. Thread-safe;
 * the engine calls the events on one thread.
 */
final class Office implements RaftStateMachine.Events {

    private final Proposals proposals;
    private final LeadTransfer transfer;
    private final Scheduler scheduler;
    private final Sweeps sweeps;
    private final Clients clients;
    private final AtomicLong changes = new AtomicLong();
    private volatile long term;

    Office(Proposals proposals, LeadTransfer transfer, Scheduler scheduler, Clients clients) {
        this.proposals = proposals;
        this.transfer = transfer;
        this.scheduler = scheduler;
        this.clients = clients;
        this.sweeps = new Sweeps(scheduler, proposals);
    }

    /** Returns the term that this server has reached. */
    long term() {
        return term;
    }

    /** Returns how often a server has become the leader, as far as this one has seen in this run. */
    long changes() {
        return changes.get();
    }

    /** Refuses all further operations, and notifies the clients. */
    void close() {
        sweeps.end();
        follows("the server is closed");
    }

    @Override
    public void pushed(List<Push> pushes) {
        if (proposals.leads()) { // the server that leads notifies the clients
            clients.pushed(pushes);
        }
    }

    @Override
    public void leads(long newTerm, long appliedMillis) {
        term = newTerm;
        changes.incrementAndGet();
        transfer.leads();
        proposals.open(newTerm, appliedMillis);
        clients.leadChanged();
        scheduler.execute(sweeps::begin);
    }

    @Override
    public void follows(String reason) {
        proposals.close(reason);
        clients.leadChanged();
    }

    @Override
    public void leaderKnown(long newTerm) {
        term = newTerm;
        changes.incrementAndGet();
        transfer.follows();
        clients.leadChanged(); // clients of this server learn which server leads
    }
}
