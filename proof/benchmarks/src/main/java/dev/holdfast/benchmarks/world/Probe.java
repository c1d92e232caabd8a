package dev.holdfast.benchmarks.world;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Short questions to servers of the loopback, with a timeout. */
final class Probe {

    private static final String HOST = "127.0.0.1";
    private static final int TIMEOUT_MILLIS = 2_000;

    private Probe() {}

    /** Returns the answer to a GET request. */
    static String get(int port, String path) throws IOException {
        return answer(connection(port, path));
    }

    /** Returns the answer to a POST request with an empty JSON object. */
    static String post(int port, String path) throws IOException {
        HttpURLConnection asked = connection(port, path);
        asked.setDoOutput(true);
        asked.getOutputStream().write("{}".getBytes(StandardCharsets.US_ASCII));
        return answer(asked);
    }

    private static HttpURLConnection connection(int port, String path) throws IOException {
        HttpURLConnection asked = (HttpURLConnection)
                URI.create("http://" + HOST + ":" + port + path).toURL().openConnection();
        asked.setConnectTimeout(TIMEOUT_MILLIS);
        asked.setReadTimeout(TIMEOUT_MILLIS);
        return asked;
    }

    private static String answer(HttpURLConnection asked) throws IOException {
        return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Returns all that a server sends after this word, until it closes the connection. */
    static String say(int port, String word) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
