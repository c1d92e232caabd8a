package dev.holdfast.node;

import dev.holdfast.testkit.ContractOf;
import dev.holdfast.testkit.LockNodeContract;
import dev.holdfast.testkit.ManualTiming;
import java.time.Duration;

@ContractOf(MemoryNodeProvider.class)
class MemoryNodeContractTest extends LockNodeContract {

    private final ManualTiming time = new ManualTiming(1);
    private final MemoryNode node =
            new MemoryNode("tested", time.timing(), Duration.ofHours(1).toMillis());

    @Override
    protected LockNode connect(String client, NodeListener listener) {
        return node.connect(client, listener);
    }

    @Override
    protected void elapse(Duration length) {
        time.advance(length);
    }

    @Override
    protected long nodeMillis() {
        return time.timing().ticker().wallMillis();
    }
}
