package dev.holdfast.testkit.redis;

import dev.holdfast.redis.process.Direction;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One connection through a {@link TcpProxy}: two sockets and a pipe in each direction. */
final class ProxyLink {

    private final List<Socket> sockets;
    private final Map<Direction, ProxyPipe> pipes;
    private final Consumer<ProxyLink> ended;
    private final AtomicInteger threadsLeft;

    private ProxyLink(List<Socket> sockets, Map<Direction, ProxyPipe> pipes, Consumer<ProxyLink> ended) {
        this.sockets = sockets;
        this.pipes = pipes;
        this.ended = ended;
        threadsLeft = new AtomicInteger(Math.max(1, 2 * pipes.size()));
    }

    /** Creates a link between a client and a server. */
    static ProxyLink between(
            Socket client, Socket server, PerDirection<ProxyDirection> ways, Consumer<ProxyLink> ended) {
        return new ProxyLink(
                List.of(client, server),
                Map.of(
                        Direction.TO_SERVER, new ProxyPipe(client, server, ways.toServer()),
                        Direction.TO_CLIENT, new ProxyPipe(server, client, ways.toClient())),
                ended);
    }

    /** Creates a link to a client that never gets an answer. */
    static ProxyLink silent(Socket client, Consumer<ProxyLink> ended) {
        return new ProxyLink(List.of(client), Map.of(), ended);
    }

    void start() {
        if (pipes.isEmpty()) {
            thread("silent", this::readInSilence);
        }
        pipes.values().forEach(pipe -> {
            thread("read", pipe::readAll);
            thread("write", pipe::writeAll);
        });
    }

    private @Nullable Disconnect readInSilence() throws IOException {
        sockets.get(0).getInputStream().transferTo(OutputStream.nullOutputStream());
        return null;
    }

    void set(Direction direction, Traffic traffic) {
        ProxyPipe pipe = pipes.get(direction);
        if (pipe != null) {
            pipe.set(traffic);
        }
    }

    /**
     * Cuts the connection. After a FIN the link stays until both sides have closed theirs; closing it at once could
     * turn the FIN into a reset.
     */
    void cut(Disconnect how) {
        pipes.values().forEach(ProxyPipe::close);
        sockets.forEach(how == Disconnect.FIN ? ProxyLink::finish : ProxyLink::reset);
    }

    private static void finish(Socket socket) {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            // It was already closed.
        }
    }

    /** Closes a socket so that the other side gets "connection reset". */
    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It was already closed.
        }
        close(socket);
    }

    private void run(Work work) {
        try {
            Disconnect cut = work.run();
            if (cut != null) {
                cut(cut);
            }
        } catch (IOException e) {
            cut(Disconnect.RST);
        }
        if (threadsLeft.decrementAndGet() == 0) {
            sockets.forEach(ProxyLink::close);
            ended.accept(this);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It was already closed.
        }
    }

    private void thread(String what, Work work) {
        ProxyPort.thread(what, () -> run(work));
    }

    /** The work of one thread, which may end with the request to cut the connection. */
    private interface Work {

        @Nullable
        Disconnect run() throws IOException;
    }
}
