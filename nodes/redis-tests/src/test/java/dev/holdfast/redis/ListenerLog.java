package dev.holdfast.redis;

import dev.holdfast.node.LockValue;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Ticket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that keeps a node's notifications, one line for each call. */
final class ListenerLog implements NodeListener {

    final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void granted(String resource, OwnerId owner, long fence, LockValue value) {
        lines.add("granted " + resource + " " + owner + " " + fence);
    }

    @Override
    public void contended(String resource, OwnerId owner, long fence, Ticket waiter, LockValue value) {
        lines.add("contended " + resource + " " + owner + " " + fence + " " + waiter);
    }

    @Override
    public void available(String serverId) {
        lines.add("available " + serverId);
    }

    @Override
    public void unavailable(String reason) {
        lines.add("unavailable " + reason);
    }

    @Override
    public void refused(String reason) {
        lines.add("refused " + reason);
    }

    long count(String beginning) {
        return lines.stream().filter(line -> line.startsWith(beginning)).count();
    }
}
