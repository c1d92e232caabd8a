package dev.holdfast.testkit;

import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.ResourceState;
import dev.holdfast.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The state that the parts of {@link LockNodeContract} share: an unused resource and three clients. */
abstract class ContractSteps {

    /** Longer than anything in a contract takes. */
    static final long LONG_MILLIS = 60_000;

    /** Long enough for a few answers on a busy machine, and short enough for a test to wait for it. */
    static final long SHORT_MILLIS = 1_000;

    private static final Timing TIMING = Timing.system("contract");

    private final ConditionWaiter patience = new ConditionWaiter(TIMING, this::elapse);
    private final List<ContractClient> parties = new ArrayList<>();
    protected String resource = "";

    /** Connects a client of this name to the node under test. */
    protected abstract LockNode connect(String client, NodeListener listener);

    /** Lets at least this much time pass at the node; with zero, lets messages under way arrive. */
    protected abstract void elapse(Duration length);

    /**
     * Returns the node's wall clock to within a few seconds. That is this machine's clock, unless the node has its own.
     */
    protected long nodeMillis() {
        return TIMING.ticker().wallMillis();
    }

    @BeforeEach
    void chooseAResource() {
        resource = "contract:" + chance() + ":x";
    }

    @AfterEach
    void leaveNothingBehind() {
        parties.forEach(ContractClient::leave);
        parties.clear();
    }

    static String chance() {
        return String.format("%016x", TIMING.random().nextLong());
    }

    /** Returns a connected client. */
    ContractClient party(String name) {
        RecordingListener listener = new RecordingListener();
        String client = name + "~" + chance();
        ContractClient party = new ContractClient(patience, client, listener, connect(client, listener));
        patience.until("connection of " + name, () -> listener.serverId() != null);
        parties.add(party);
        return party;
    }

    void until(String what, java.util.function.BooleanSupplier condition) {
        patience.until(what, condition);
    }

    void elapseMillis(long millis) {
        elapse(Duration.ofMillis(millis));
    }

    static List<String> owners(ResourceState state) {
        return state.holders().stream().map(ResourceState.Holder::owner).toList();
    }

    static List<String> waiters(ResourceState state) {
        return state.waiters().stream().map(ResourceState.Waiter::owner).toList();
    }
}
