package dev.holdfast.internal.owner;

import dev.holdfast.node.OwnerId;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/** The owner ids of one client. It creates them, and recognises ids that this client cannot have created. Thread-safe. */
public final class OwnerIds {

    private static final System.Logger LOG = System.getLogger(OwnerIds.class.getName());

    private final String client;
    private final TicketClock tickets;
    private final CopyDetector copies;
    private final AtomicBoolean copySeen = new AtomicBoolean();

    /**
     * Makes ids of this client.
     *
     * @param client the client part of the ids
     */
    public OwnerIds(String client, Timing timing) {
        this.client = client;
        this.tickets = new TicketClock(timing.ticker());
        this.copies = new CopyDetector(timing.random());
    }

    /** Returns the client part of the ids. */
    public String client() {
        return client;
    }

    /** Returns the id of a new attempt with this label, with a ticket later than all earlier ones. */
    public OwnerId next(String label) {
        return new OwnerId(client, tickets.next(), copies.firstRound(), label);
    }

    /** Notes a ticket time that a node has returned. */
    public void observe(long ticketTime) {
        tickets.observe(ticketTime);
    }

    /** Notes that a node has connected, before any request to it: later ids differ from those of a copy of this process. */
    public void connected() {
        copies.connected();
    }

    /** Returns whether this client may have made the id; logs once if only a copy of this process can have made it. */
    public boolean mayBeOwn(OwnerId owner) {
        return isOwn(copies.mayBeOwn(owner), owner);
    }

    /** Returns whether this client's ticket clock may have given the id its ticket; logs once if only that of a copy of this process can have. */
    public boolean mayHaveGivenTicket(OwnerId owner) {
        return isOwn(tickets.mayHaveGiven(owner.attempt()), owner);
    }

    private boolean isOwn(boolean possible, OwnerId owner) {
        if (!possible && copySeen.compareAndSet(false, true)) {
            LOG.log(
                    Level.ERROR,
                    "Another process uses this client''s id: it was granted {0}, which this client never asked for. Both may hold the same lock. A process that is"
                            + " restored from a checkpoint or a snapshot must create its Holdfast after that",
                    owner);
        }
        return possible;
    }
}
