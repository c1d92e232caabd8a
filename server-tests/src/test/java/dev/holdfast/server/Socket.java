package dev.holdfast.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A connection to the server under test on which anything can be written. */
public final class Socket implements AutoCloseable {

    private final java.net.Socket socket = new java.net.Socket();

    public Socket(LockServer server) throws IOException {
        this(server, 0);
    }

    /** A connection whose receive buffer has this many bytes; 0 leaves it to the system. */
    public Socket(LockServer server, int bufferBytes) throws IOException {
        if (bufferBytes > 0) {
            socket.setReceiveBufferSize(bufferBytes);
        }
        socket.setTcpNoDelay(true);
        socket.connect(
                new InetSocketAddress(server.uri().getHost(), server.uri().getPort()), 10_000);
        socket.setSoTimeout((int) Http.PATIENCE.toMillis());
    }

    public void write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    public void post(String path, String json, String... headers) throws IOException {
        StringBuilder more = new StringBuilder();
        for (String header : headers) {
            more.append(header).append("\r\n");
        }
        write("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                + json.length() + "\r\n" + more + "\r\n" + json);
    }

    /** Until the server closes it. */
    public String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Whether the server has not closed it, as far as is known after so long. */
    public boolean isOpenAfter(int millis) throws IOException {
        socket.setSoTimeout(millis);
        try {
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } finally {
            socket.setSoTimeout((int) Http.PATIENCE.toMillis());
        }
    }

    /** One buffer full, empty at the end. */
    public String readSome() throws IOException {
        byte[] some = new byte[8_192];
        int read = socket.getInputStream().read(some);
        return read < 0 ? "" : new String(some, 0, read, StandardCharsets.ISO_8859_1);
    }

    /** Closes the connection in the way of a process that was killed: what it has not read is lost, and the server cannot write to it. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
