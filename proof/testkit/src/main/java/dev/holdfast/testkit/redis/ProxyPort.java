package dev.holdfast.testkit.redis;

import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Consumer;

/** The port of a {@link TcpProxy}, which can be closed and opened again. It has no guard against concurrent callers. */
final class ProxyPort {

    private static final Duration SHUT_WITHIN = Duration.ofSeconds(10);
    private static final int PORTS_TO_TRY = 10;

    private final Consumer<Socket> guests;
    private final int port;
    private ServerSocket listener;
    private Thread acceptor;

    private ProxyPort(ServerSocket listener, Consumer<Socket> guests) {
        this.guests = guests;
        this.listener = listener;
        port = listener.getLocalPort();
        acceptor = thread("accept", () -> acceptAll(listener));
    }

    /** Opens a free port; each accepted connection gets a thread of its own. */
    static ProxyPort open(Consumer<Socket> guests) {
        for (int i = 1; ; i++) {
            try {
                return new ProxyPort(FreePort.listen(FreePort.pick()), guests);
            } catch (IOException e) {
                if (i == PORTS_TO_TRY) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    int port() {
        return port;
    }

    void openAgain() {
        if (listener.isClosed()) {
            try {
                ServerSocket again = FreePort.listen(port);
                listener = again;
                acceptor = thread("accept", () -> acceptAll(again));
            } catch (IOException e) {
                throw new UncheckedIOException("port " + port + " was taken while it was refused", e);
            }
        }
    }

    /**
     * Closes the port, and returns when no client can connect any more. The system keeps a port open while a thread
     * still accepts.
     */
    void shut() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Waiting.require(SHUT_WITHIN, () -> "port " + port + " was not closed", () -> !acceptor.isAlive());
    }

    private void acceptAll(ServerSocket at) {
        while (true) {
            try {
                Socket guest = at.accept();
                thread("welcome", () -> guests.accept(guest));
            } catch (IOException e) {
                return; // the port was closed
            }
        }
    }

    static Thread thread(String what, Runnable work) {
        Thread thread = new Thread(work, "holdfast-proxy-" + what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
