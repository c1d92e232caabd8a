package dev.holdfast.cluster;

import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;

/** A client that ignores all news. */
final class SilentListener implements NodeListener {

    @Override
    public void pushed(Push push) {}

    @Override
    public void available(String serverId) {}

    @Override
    public void unavailable(String reason) {}

    @Override
    public void refused(String reason) {}
}
