package dev.holdfast.testkit;

import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client's listener behind a faulty channel. Events of the current connection always pass; those of an ended
 * connection never do.
 */
final class LossyListener {

    private final NodeListener client;
    private final FaultyChannel pushes;
    private final AtomicInteger connection = new AtomicInteger();

    LossyListener(NodeListener client, FaultyChannel pushes) {
        this.client = client;
        this.pushes = pushes;
    }

    /** Returns the listener of the next connection. */
    NodeListener ofConnection() {
        return new OfConnection(connection.incrementAndGet());
    }

    /** Ends the connection. Pushes that the channel holds or delays still arrive. */
    void silence() {
        connection.incrementAndGet();
    }

    void unavailable(String reason) {
        client.unavailable(reason);
    }

    void refused(String reason) {
        client.refused(reason);
    }

    private final class OfConnection implements NodeListener {

        private final int number;

        OfConnection(int number) {
            this.number = number;
        }

        private boolean isLive() {
            return number == connection.get();
        }

        @Override
        public void pushed(Push push) {
            if (isLive()) {
                pushes.carry(() -> client.pushed(push));
            }
        }

        @Override
        public void identified(String serverId) {
            if (isLive()) {
                client.identified(serverId);
            }
        }

        @Override
        public void available(String serverId) {
            if (isLive()) {
                client.available(serverId);
            }
        }

        @Override
        public void unavailable(String reason) {
            if (isLive()) {
                client.unavailable(reason);
            }
        }

        @Override
        public void refused(String reason) {
            if (isLive()) {
                client.refused(reason);
            }
        }
    }
}
