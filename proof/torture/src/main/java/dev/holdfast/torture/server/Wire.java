package dev.holdfast.torture.server;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** One connection to a lock server, for HTTP and then possibly for a WebSocket. Blocking, and not thread-safe. */
final class Wire implements Closeable {

    private static final int PATIENCE_MILLIS = 60_000;
    private static final int FIN_AND_TEXT = 0x81;
    private static final int CLOSE = 0x8;
    private static final int PING = 0x9;
    private static final int PONG = 0x8A;
    private static final int SHORT = 126;

    private final Socket socket = new Socket();
    private final String head;
    private final InputStream in;

    /**
     * Connects.
     *
     * @param secret the token; empty for none
     * @param from the last number of the loopback address to connect from, since each address has a limit of ports
     */
    Wire(URI server, String secret, int from) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) from}), 0));
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), PATIENCE_MILLIS);
        in = new BufferedInputStream(socket.getInputStream(), 512);
        head = " HTTP/1.1\r\nHost: localhost:" + server.getPort() + "\r\n"
                + (secret.isEmpty() ? "" : "Authorization: Bearer " + secret + "\r\n");
    }

    /** An answer over HTTP. */
    record Answer(int status, String body) {}

    Answer get(String path) throws IOException {
        write("GET " + path + head + "\r\n");
        return answer();
    }

    Answer post(String path, String json) throws IOException {
        sendPost(path, json);
        return answer();
    }

    /** Sends a request without waiting for its answer. */
    void sendPost(String path, String json) throws IOException {
        write("POST " + path + head + "Content-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n"
                + json);
    }

    Answer answer() throws IOException {
        int status = status();
        int length = 0;
        boolean chunked = false;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String lower = line.toLowerCase(java.util.Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(
                        lower.substring("content-length:".length()).strip());
            }
            chunked |= lower.equals("transfer-encoding: chunked");
        }
        return new Answer(status, chunked ? chunks() : text(length));
    }

    private String chunks() throws IOException {
        StringBuilder body = new StringBuilder();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.append(text(size));
            line();
        }
        line();
        return body.toString();
    }

    /** Opens the event stream, and returns the status. */
    int follow(String path) throws IOException {
        write("GET " + path + head + "Accept: text/event-stream\r\n\r\n");
        return statusAndHead();
    }

    /** Asks for a WebSocket, and returns the status, 101 if it is open. */
    int upgrade(String path) throws IOException {
        askForUpgrade(path);
        return statusAndHead();
    }

    /** Asks for a WebSocket without waiting for the answer. */
    void askForUpgrade(String path) throws IOException {
        write("GET " + path + head + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    }

    private int statusAndHead() throws IOException {
        int status = status();
        while (!line().isEmpty()) {
            // the headers say nothing that matters here
        }
        return status;
    }

    /** Sends a text over the WebSocket; the mask is zero, which the protocol allows. */
    void send(String message) throws IOException {
        byte[] payload = message.getBytes(StandardCharsets.UTF_8);
        boolean isShort = payload.length < SHORT;
        byte[] frame = new byte[payload.length + (isShort ? 6 : 8)];
        frame[0] = (byte) FIN_AND_TEXT;
        frame[1] = (byte) (0x80 | (isShort ? payload.length : SHORT));
        if (!isShort) {
            frame[2] = (byte) (payload.length >> 8);
            frame[3] = (byte) payload.length;
        }
        System.arraycopy(payload, 0, frame, frame.length - payload.length, payload.length);
        socket.getOutputStream().write(frame);
    }

    /** Returns the next text from the WebSocket. Answers pings. */
    String receive() throws IOException {
        while (true) {
            int kind = octet() & 0xF;
            int length = octet() & 0x7F;
            if (length == SHORT) {
                length = octet() << 8 | octet();
            } else if (length == SHORT + 1) {
                throw new IOException("a frame of more than 64 KiB");
            }
            byte[] payload = octets(length);
            if (kind == CLOSE) {
                throw new EOFException("the server closed the WebSocket"
                        + (length > 2 ? ": " + new String(payload, 2, length - 2, StandardCharsets.UTF_8) : ""));
            } else if (kind == PING) {
                byte[] pong = new byte[length + 6];
                pong[0] = (byte) PONG;
                pong[1] = (byte) (0x80 | length);
                System.arraycopy(payload, 0, pong, 6, length);
                socket.getOutputStream().write(pong);
            } else {
                return new String(payload, StandardCharsets.UTF_8);
            }
        }
    }

    /** Receives until a text contains the part, and returns that text. */
    String receive(String part) throws IOException {
        String text = receive();
        while (!text.contains(part)) {
            text = receive();
        }
        return text;
    }

    /** Returns the next line. */
    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = octet(); next != '\n'; next = octet()) {
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    private int status() throws IOException {
        String line = line();
        if (!line.startsWith("HTTP/1.1 ")) {
            throw new IOException("no status: '" + line + "'");
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private String text(int length) throws IOException {
        return new String(octets(length), StandardCharsets.UTF_8);
    }

    private byte[] octets(int length) throws IOException {
        byte[] octets = in.readNBytes(length);
        if (octets.length < length) {
            throw new EOFException("the server closed the connection");
        }
        return octets;
    }

    private int octet() throws IOException {
        int octet = in.read();
        if (octet < 0) {
            throw new EOFException("the server closed the connection");
        }
        return octet;
    }

    private void write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sets how long a read may take, in milliseconds. */
    void patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** Closes it with RST, as if the client's machine had failed. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
