package dev.holdfast.redis;

import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that keeps a node's notifications, one line for each call. */
final class ListenerLog implements NodeListener {

    final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void pushed(Push push) {
        String line = push.resource() + " " + push.owner() + " " + push.fence();
        lines.add(push instanceof Push.Contended it ? "contended " + line + " " + it.waiter() : "granted " + line);
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
