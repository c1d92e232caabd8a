package dev.holdfast.internal.node;

import dev.holdfast.node.Push;

/** The listener of a client without attempts. */
final class DeafListener implements NodeSet.Listener {

    @Override
    public void pushed(int node, Push push) {}

    @Override
    public void connected() {}

    @Override
    public void available(int node) {}

    @Override
    public void clockMoved() {}
}
