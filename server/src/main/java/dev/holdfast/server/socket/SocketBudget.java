package dev.holdfast.server.socket;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A limit on the text that the server keeps for all connections of one client together. The text is messages of which only a part has arrived, and lines or
 * answers that the client has not read yet. Without the limit, a client with many connections could take all memory. Thread-safe.
 */
public final class SocketBudget {

    /** How many characters the server keeps for the connections of one client. */
    public static final int MOST_CHARS = 1 << 24;

    /** How many characters each connection may have in any case, so that a client whose other connections do not read can still use this one. */
    static final int ALWAYS_CHARS = 1 << 12;

    private final int mostChars;
    private final Map<String, Long> kept = new ConcurrentHashMap<>();

    /**
     * Creates a budget of which nothing is in use.
     *
     * @param mostChars how many characters the server keeps for the connections of one client
     */
    public SocketBudget(int mostChars) {
        this.mostChars = mostChars;
    }

    /** Returns the share of a connection that has just opened. */
    public Share open(String client) {
        return new Share(client);
    }

    /** Returns how many characters the server keeps for the client. */
    long kept(String client) {
        return kept.getOrDefault(client, 0L);
    }

    private void add(String client, long chars) {
        kept.merge(client, chars, (sum, more) -> sum + more == 0 ? null : Long.valueOf(sum + more));
    }

    /** The share of one connection in its client's budget. Thread-safe. */
    public final class Share {

        private final String client;
        private long chars;
        private boolean closed;

        private Share(String client) {
            this.client = client;
        }

        /**
         * Takes characters from the budget, or returns false if the budget is used up. The last text may exceed the budget, so that it may be long, as the answer
         * with all leases of a session.
         */
        public synchronized boolean take(int more) {
            if (closed || (chars + more > ALWAYS_CHARS && kept(client) > mostChars)) {
                return false;
            }
            if (more > 0) {
                chars += more;
                add(client, more);
            }
            return true;
        }

        /** Returns characters that the server no longer keeps. */
        public synchronized void putBack(int fewer) {
            if (!closed && fewer > 0) {
                chars -= fewer;
                add(client, -fewer);
            }
        }

        /** Returns all characters of the connection, which has ended. */
        public synchronized void close() {
            if (!closed) {
                closed = true;
                if (chars > 0) {
                    add(client, -chars);
                }
            }
        }
    }
}
