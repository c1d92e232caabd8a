package dev.holdfast.node;

import dev.holdfast.time.Timing;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * A provider of {@code memory:} nodes. Only one client sees a node without a name. All clients of this process share a node with a name ({@code
 * memory:tests}) as long as the process runs.
 */
public final class MemoryNodeProvider implements NodeProvider {

    private static final Pattern URI = Pattern.compile("(?i:memory):([A-Za-z0-9._-]*)");
    private static final Map<String, MemoryNode> SHARED = new ConcurrentHashMap<>();
    private static final AtomicLong UNNAMED = new AtomicLong();

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public LockNode open(String uri, NodeContext context) {
        var matcher = URI.matcher(uri);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + uri
                    + "' is not a memory node: write 'memory:', or 'memory:' and a name of letters, digits and ._-");
        }
        String name = matcher.group(1);
        MemoryNode node = name.isEmpty()
                ? new MemoryNode(
                        "#" + UNNAMED.incrementAndGet(),
                        context.timing(),
                        context.times().fenceRetentionMillis())
                : SHARED.computeIfAbsent(name, shared -> outliving(shared, context));
        return node.connect(context.client(), context.listener());
    }

    /** Creates a shared node with separate timers and workers, since it outlives the client that first opened it. */
    private static MemoryNode outliving(String name, NodeContext context) {
        return new MemoryNode(
                name, Timing.system("holdfast-memory-" + name), context.times().fenceRetentionMillis());
    }
}
